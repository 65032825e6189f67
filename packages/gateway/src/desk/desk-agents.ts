import { authRequired, invalidParams, invalidRequest } from '@parley/acp';
import type { AgentCard, DeskAgent, SignInParams, SignInState } from '@parley/host/desk';
import { secretsIn } from '../bridge/launch-plan.ts';
import type { DeskLimits } from '../limits.ts';
import { probeAgent } from './api/probe-agent.ts';
import type { DeskAgentSource, DeskOptions } from './desk-options.ts';
import { signInToAgent } from './sign-in-to-agent.ts';
import { TypedVariables } from './typed-variables.ts';

/** The agents of a desk, and what is known of them. */
export class DeskAgents {
  readonly #desk: DeskOptions;
  readonly #limits: DeskLimits;
  readonly #onChange: () => void;
  readonly #cards = new Map<string, AgentCard>();
  readonly #signIns = new Map<string, SignInState>();
  readonly #probes = new Map<string, Promise<AgentCard>>();
  readonly #variables = new Map<string, TypedVariables>();

  constructor(desk: DeskOptions, limits: DeskLimits, onChange: () => void) {
    this.#desk = desk;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  /** As lists show them. */
  get all(): readonly DeskAgent[] {
    const { agents, defaultAgent } = this.#desk;
    return agents.map(
      ({ access: _access, serves: _serves, startTimeoutMs: _limit, secrets: _secrets, ...shown }) => {
        const card = this.#cards.get(shown.name);
        return {
          ...shown,
          signIn: this.#signIns.get(shown.name) ?? 'unknown',
          ...(card !== undefined && { card }),
          ...(shown.name === defaultAgent && { isDefault: true }),
        };
      },
    );
  }

  /** Looks what an agent offers; undefined when there is none of that name. One look at a time. */
  probe(name: string): Promise<AgentCard> | undefined {
    const source = this.#desk.agents.find((agent) => agent.name === name);
    if (source === undefined) return undefined;
    const running = this.#probes.get(name) ?? this.#probe(source).finally(() => this.#probes.delete(name));
    this.#probes.set(name, running);
    return running;
  }

  /** Signs in to an agent outside of a session. @throws {RpcError} There is no such way, or it did not lead in. */
  async signIn({ agent: name, methodId, values = {} }: SignInParams): Promise<void> {
    const source = this.#desk.agents.find((agent) => agent.name === name);
    if (source === undefined) throw invalidParams('agent', 'the name of an agent');
    const variables = this.variablesOf(source);
    const options = { desk: this.#desk, limits: this.#limits, variables };
    await signInToAgent(source, { methodId, values }, options);
    const { failure } = await this.#probe(source);
    if (this.#signIns.get(name) === 'needed') throw authRequired('that did not sign you in');
    if (failure !== undefined) throw invalidRequest(`signed in, but then: ${failure}`);
  }

  /** What persons typed for an agent. */
  variablesOf(source: DeskAgentSource): TypedVariables {
    const variables = this.#variables.get(source.name) ?? new TypedVariables(secretsIn(source));
    this.#variables.set(source.name, variables);
    return variables;
  }

  setSignIn(name: string, state: SignInState): void {
    if (this.#signIns.get(name) === state) return;
    this.#signIns.set(name, state);
    this.#onChange();
  }

  async #probe(source: DeskAgentSource): Promise<AgentCard> {
    const { card, isSignInNeeded } = await probeAgent(source, {
      desk: this.#desk,
      limits: this.#limits,
      variables: this.variablesOf(source),
    });
    this.#cards.set(source.name, card);
    if (isSignInNeeded) {
      this.setSignIn(source.name, 'needed');
    } else if (card.failure === undefined) {
      this.setSignIn(source.name, card.signInMethods.length === 0 ? 'not-needed' : 'signed-in');
    }
    this.#onChange();
    return card;
  }
}

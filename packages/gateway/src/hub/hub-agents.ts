import { authRequired, invalidParams, invalidRequest } from '@parley/acp';
import type { AgentCard, HubAgent, SignInParams, SignInState } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import { secretsIn } from '../bridge/launch-plan.ts';
import type { HubLimits } from '../limits.ts';
import type { AgentPool } from '../pool/agent-pool.ts';
import { createLimitedPool } from '../pool/limited-pool.ts';
import { probeAgent, type Probe, type ProbeOptions } from './api/probe-agent.ts';
import type { HubAgentSource, HubOptions } from './hub-options.ts';
import { signInToAgent } from './sign-in-to-agent.ts';
import { TypedVariables } from './typed-variables.ts';

/** The agents of a hub, and what is known of them. */
export class HubAgents {
  readonly #hub: HubOptions;
  readonly #limits: HubLimits;
  readonly #onChange: () => void;
  readonly #cards = new Map<string, AgentCard>();
  readonly #signIns = new Map<string, SignInState>();
  readonly #probes = new Map<string, Promise<AgentCard>>();
  readonly #variables = new Map<string, TypedVariables>();
  /** Those that are looked at have places of their own: they take none from sessions, and wait for none. */
  readonly #places: AgentPool;
  readonly #ending = new AbortController();
  /** What goes on with agents that run for no session. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(hub: HubOptions, limits: HubLimits, onChange: () => void) {
    this.#hub = hub;
    this.#limits = limits;
    this.#onChange = onChange;
    this.#places = createLimitedPool({ places: limits.probes, waiting: waitingLooks, idleMs: 0 });
  }

  /** As lists show them. */
  get all(): readonly HubAgent[] {
    const { agents, defaultAgent } = this.#hub;
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

  /** The agent of that name. */
  source(name: string): HubAgentSource | undefined {
    return this.#hub.agents.find((agent) => agent.name === name);
  }

  /** Looks what an agent offers; undefined when there is none of that name. One look at a time. */
  probe(name: string): Promise<AgentCard> | undefined {
    const source = this.source(name);
    if (source === undefined) return undefined;
    const running = this.#probes.get(name) ?? this.#probe(source).finally(() => this.#probes.delete(name));
    this.#probes.set(name, running);
    return running;
  }

  /** Signs in to an agent outside of a session. @throws {RpcError} There is no such way, or it did not lead in. */
  async signIn({ agent: name, methodId, values = {} }: SignInParams): Promise<void> {
    const source = this.source(name);
    if (source === undefined) throw invalidParams('agent', 'the name of an agent');
    await this.#until(signInToAgent(source, { methodId, values }, this.#optionsFor(source)));
    const { failure } = await this.#probe(source);
    if (this.#signIns.get(name) === 'needed') throw authRequired('that did not sign you in');
    if (failure !== undefined) throw invalidRequest(`signed in, but then: ${failure}`);
  }

  /** What persons typed for an agent. */
  variablesOf(source: HubAgentSource): TypedVariables {
    const variables = this.#variables.get(source.name) ?? new TypedVariables(secretsIn(source));
    this.#variables.set(source.name, variables);
    return variables;
  }

  /** What a client is told of a failure, which may hold what an agent wrote. */
  withoutSecrets(error: RpcError): RpcError {
    return this.#hub.agents.reduce(({ code, message, data }, source) => {
      const { redaction } = this.variablesOf(source);
      return new RpcError(code, redaction.text(message), redaction.value(data));
    }, error);
  }

  setSignIn(name: string, state: SignInState): void {
    if (this.#signIns.get(name) === state) return;
    this.#signIns.set(name, state);
    this.#onChange();
  }

  /** Ends the agents that run for no session. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#running);
  }

  async #probe(source: HubAgentSource): Promise<AgentCard> {
    const { card, isSignInNeeded } = await this.#until(this.#look(source));
    this.#cards.set(source.name, card);
    if (isSignInNeeded) {
      this.setSignIn(source.name, 'needed');
    } else if (card.failure === undefined) {
      this.setSignIn(source.name, card.signInMethods.length === 0 ? 'not-needed' : 'signed-in');
    }
    this.#onChange();
    return card;
  }

  async #look(source: HubAgentSource): Promise<Probe> {
    const { signal } = this.#ending;
    const tenant = { sessionId: source.name, stop: () => Promise.resolve() };
    const place = await this.#places.acquire(tenant, { signal });
    try {
      return await probeAgent(source, this.#optionsFor(source));
    } finally {
      place.release();
    }
  }

  #optionsFor(source: HubAgentSource): ProbeOptions {
    return {
      hub: this.#hub,
      limits: this.#limits,
      variables: this.variablesOf(source),
      signal: this.#ending.signal,
    };
  }

  async #until<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

/** Looks that may wait for others. */
const waitingLooks = 1000;

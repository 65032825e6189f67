import {
  authRequired,
  invalidParams,
  invalidRequest,
  type AgentCapabilities,
  type AuthMethod,
} from '@parley/acp';
import {
  createLimitedPool,
  HostError,
  specSecrets,
  TypedVariables,
  type AgentPool,
  type AgentSpec,
} from '@parley/host';
import type { AgentCard, HubAgent, SignInParams, SignInState } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import type { HubLimits } from '../limits.ts';
import { probeCard, type Probe, type ProbeOptions } from './api/probe-card.ts';
import type { HubOptions, ListedAgent } from './hub-options.ts';
import { signInToAgent } from './sign-in-to-agent.ts';

/** What an agent said of itself when it was started. */
export interface AgentOffer {
  readonly capabilities?: AgentCapabilities;
  readonly authMethods?: readonly AuthMethod[];
}

/** The agents of a hub, and what is known of them. */
export class HubAgents {
  readonly #hub: HubOptions;
  readonly #limits: HubLimits;
  readonly #onChange: () => void;
  readonly #offers = new Map<string, AgentOffer>();
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
    return agents.map(({ spec: _spec, ...shown }) => {
      const card = this.#cards.get(shown.name);
      return {
        ...shown,
        signIn: this.#signIns.get(shown.name) ?? 'unknown',
        ...(card !== undefined && { card }),
        ...(shown.name === defaultAgent && { isDefault: true }),
      };
    });
  }

  /** The agent of that name. */
  find(name: string): ListedAgent | undefined {
    return this.#hub.agents.find((agent) => agent.name === name);
  }

  /** Looks what an agent offers; undefined when there is none of that name. One look at a time. */
  probe(name: string): Promise<AgentCard> | undefined {
    const agent = this.find(name);
    if (agent === undefined) return undefined;
    const running = this.#probes.get(name) ?? this.#probe(agent).finally(() => this.#probes.delete(name));
    this.#probes.set(name, running);
    return running;
  }

  /** Signs in to an agent outside of a session. @throws {RpcError} There is no such way, or it did not lead in. */
  async signIn({ agent: name, methodId, values = {} }: SignInParams): Promise<void> {
    const agent = this.find(name);
    if (agent === undefined) throw invalidParams('agent', 'the name of an agent');
    await this.#until(signInToAgent(expectSpec(agent), { methodId, values }, this.#optionsFor(agent)));
    const { failure } = await this.#probe(agent);
    if (this.#signIns.get(name) === 'needed') throw authRequired('that did not sign you in');
    if (failure !== undefined) throw invalidRequest(`signed in, but then: ${failure}`);
  }

  /** What an agent said of itself when it was started last; nothing where that is not known. */
  offerOf(name: string): AgentOffer {
    return this.#offers.get(name) ?? {};
  }

  /** An agent runs. */
  learn(name: string, { capabilities, authMethods }: Required<AgentOffer>): void {
    this.#offers.set(name, { capabilities, authMethods });
  }

  /** What users typed for an agent. */
  variablesOf({ name, spec }: ListedAgent): TypedVariables {
    const secrets = spec === undefined ? [] : specSecrets(spec);
    const variables = this.#variables.get(name) ?? new TypedVariables(secrets);
    this.#variables.set(name, variables);
    return variables;
  }

  /** What a client receives of a failure, which may hold what an agent wrote. */
  withoutSecrets(error: RpcError): RpcError {
    return this.#hub.agents.reduce(({ code, message, data }, agent) => {
      const { redaction } = this.variablesOf(agent);
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

  async #probe(agent: ListedAgent): Promise<AgentCard> {
    const { card, isSignInNeeded } = await this.#until(this.#look(agent));
    this.#cards.set(agent.name, card);
    if (isSignInNeeded) {
      this.setSignIn(agent.name, 'needed');
    } else if (card.failure === undefined) {
      this.setSignIn(agent.name, card.signInMethods.length === 0 ? 'not-needed' : 'signed-in');
    }
    this.#onChange();
    return card;
  }

  async #look(agent: ListedAgent): Promise<Probe> {
    const { signal } = this.#ending;
    const user = { sessionId: agent.name, stop: () => Promise.resolve() };
    const place = await this.#places.acquire(user, { signal });
    try {
      return await probeCard(expectSpec(agent), this.#optionsFor(agent));
    } finally {
      place.release();
    }
  }

  #optionsFor(agent: ListedAgent): ProbeOptions {
    return {
      hub: this.#hub,
      limits: this.#limits,
      variables: this.variablesOf(agent),
      signal: this.#ending.signal,
      onAgent: (connection) => {
        this.learn(agent.name, connection);
      },
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

/** @throws {HostError} `not-installed` */
function expectSpec({ name, spec }: ListedAgent): AgentSpec {
  if (spec !== undefined) return spec;
  throw new HostError('not-installed', `the agent ${JSON.stringify(name)} is not installed here`);
}

/** Looks that may wait for others. */
const waitingLooks = 1000;

import { authRequired, invalidParams, invalidRequest } from '@parley/acp';
import {
  createLimitedPool,
  HostError,
  openSignInTerminal,
  reportedSignIn,
  specSecrets,
  TypedVariables,
  type AgentPool,
  type AgentSpec,
  type AuthStatus,
  type HostEvent,
  type SignInTerminal,
} from '@parley/host';
import type {
  AgentCard,
  HubAgent,
  NewAgent,
  RouteProviderParams,
  SignInParams,
  SignInState,
  SignInTerminalParams,
} from '@parley/host/hub';
import { RpcError, untilAborted } from '@parley/wire';
import type { HubLimits } from '../../limits.ts';
import { probeCard, type Probe, type ProbeOptions } from '../api/probe-card.ts';
import type { HubOptions } from '../hub-options.ts';
import { openPassingFolder } from '../passing-folder.ts';
import { AgentInstallations } from './agent-installations.ts';
import type { AgentOffer } from './agent-offer.ts';
import type { HubCatalogue, ListedAgent } from './hub-catalogue.ts';
import { signInToAgent } from './sign-in-to-agent.ts';

/** The agents of a hub, with what is known about them. */
export class HubAgents {
  readonly #hub: HubOptions;
  readonly #limits: HubLimits;
  readonly #onChange: () => void;
  /** The agents of the last search. */
  #listed: readonly ListedAgent[];
  #finding: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  readonly #installs: AgentInstallations;
  readonly #offers = new Map<string, AgentOffer>();
  /** Callbacks of clients that wait until an agent's options are known. */
  readonly #awaited = new Map<string, (() => void)[]>();
  readonly #cards = new Map<string, AgentCard>();
  readonly #signIns = new Map<string, SignInState>();
  readonly #accounts = new Map<string, AuthStatus['accounts']>();
  readonly #probes = new Map<string, Promise<AgentCard>>();
  readonly #variables = new Map<string, TypedVariables>();
  /** Slots for probes, separate from those of sessions. */
  readonly #places: AgentPool;
  readonly #ending = new AbortController();
  /** Running work of agents outside of sessions. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(hub: HubOptions, limits: HubLimits, onChange: () => void) {
    this.#hub = hub;
    this.#listed = hub.agents;
    this.#installs = new AgentInstallations(hub.catalogue, onChange);
    this.#limits = limits;
    this.#onChange = onChange;
    this.#places = createLimitedPool({ places: limits.probes, waiting: waitingLooks, idleMs: 0 });
  }

  /** As lists show them. */
  get all(): readonly HubAgent[] {
    const { defaultAgent } = this.#hub;
    return this.#listed.map(({ spec: _spec, ...shown }) => {
      const card = this.#cards.get(shown.name);
      const version = shown.version ?? card?.info?.version;
      const accounts = this.#accounts.get(shown.name) ?? [];
      const installing = this.#installs.find(shown.name);
      return {
        ...shown,
        ...(version !== undefined && { version }),
        ...(installing !== undefined && { installing }),
        signIn: this.#signIns.get(shown.name) ?? 'unknown',
        ...(accounts.length > 0 && { accounts }),
        ...(card !== undefined && { card }),
        ...(shown.name === defaultAgent && { isDefault: true }),
      };
    });
  }

  /** The agent of that name. */
  find(name: string): ListedAgent | undefined {
    return this.#listed.find((agent) => agent.name === name);
  }

  /** Finds the agents that were installed, added or removed since. Where that fails, those before stay. Never rejects. */
  look(): Promise<void> {
    // One that is under way may have missed what is asked for now.
    this.#next ??= this.#finding.then(() => {
      this.#next = undefined;
      this.#finding = this.#find();
      return this.#finding;
    });
    return this.#next;
  }

  /** The agent of that name, which may have been added just now. */
  async findNow(name: string): Promise<ListedAgent | undefined> {
    if (this.find(name)?.spec === undefined) await this.look();
    return this.find(name);
  }

  /**
   * Installs the package of an agent, once even if several clients request it.
   *
   * @throws {HostError}
   * @throws {RpcError}
   */
  async install(name: string): Promise<void> {
    if (this.find(name)?.canInstall !== true) {
      throw invalidParams('agent', 'an agent that can be installed here');
    }
    await this.#until(this.#installs.install(name));
    await this.look();
  }

  cancelInstall(name: string): void {
    this.#installs.cancel(name);
  }

  /** @throws {RpcError} -32602 */
  async add(agent: NewAgent): Promise<void> {
    await expectCatalogue(this.#hub).add(agent);
    await this.look();
  }

  /** @throws {RpcError} -32602 */
  async remove(name: string): Promise<void> {
    await expectCatalogue(this.#hub).remove(name);
    await this.look();
  }

  /** @throws {RpcError} -32602 */
  async routeProvider(params: RouteProviderParams): Promise<void> {
    if (this.find(params.agent) === undefined) throw invalidParams('agent', 'an agent of this server');
    await expectCatalogue(this.#hub).routeProvider(params);
    await this.look();
  }

  /** Probes an agent; undefined if the agent is unknown. Probes run one at a time. */
  probe(name: string): Promise<AgentCard> | undefined {
    const agent = this.find(name);
    if (agent === undefined) return undefined;
    const running = this.#probes.get(name) ?? this.#probe(agent).finally(() => this.#probes.delete(name));
    this.#probes.set(name, running);
    return running;
  }

  /**
   * Signs in to an agent outside of a session.
   *
   * @throws {RpcError} The method does not exist, or the sign-in failed.
   */
  async signIn({ agent: name, methodId, values = {} }: SignInParams): Promise<void> {
    const agent = this.find(name);
    if (agent === undefined) throw invalidParams('agent', 'the name of an agent');
    const before = this.#signIns.get(name);
    await this.#until(signInToAgent(expectSpec(agent), { methodId, values }, this.#optionsFor(agent)));
    this.#signIns.set(name, 'unknown');
    const { failure } = await this.#probe(agent);
    if (this.#signIns.get(name) === 'needed') throw authRequired('that did not sign you in');
    if (failure !== undefined) throw invalidRequest(`signed in, but then: ${failure}`);
    // It refused before, and does not any more.
    if (before === 'needed' && this.#signIns.get(name) === 'unknown') this.setSignIn(name, 'signed-in');
  }

  /** Runs the sign-in command of an agent, which ends within the time for signing in. @throws {RpcError} @throws {HostError} */
  async openSignIn({ agent: name, methodId }: SignInTerminalParams): Promise<SignInTerminal> {
    const agent = this.find(name);
    if (agent === undefined) throw invalidParams('agent', 'the name of an agent');
    const card = this.#cards.get(name) ?? (await this.#probe(agent));
    const method = card.signInMethods.find(({ id }) => id === methodId);
    if (method?.kind !== 'terminal') {
      throw invalidParams('methodId', 'a way to sign in that runs on a terminal');
    }
    const folder = await openPassingFolder(expectSpec(agent), this.#hub.workspaces);
    try {
      const env = this.variablesOf(agent).values;
      const spec = expectSpec(agent);
      const sandbox = await this.#hub.sandboxFor?.({ spec, cwd: folder.path });
      const terminal = await openSignInTerminal(spec, method, {
        cwd: folder.path,
        env,
        ...(sandbox !== undefined && { sandbox }),
      });
      const limit = setTimeout(() => void terminal.end(), this.#limits.signInMs);
      const end = (): void => void terminal.end();
      this.#ending.signal.addEventListener('abort', end);
      const ended = terminal.exited.then(async () => {
        clearTimeout(limit);
        this.#ending.signal.removeEventListener('abort', end);
        await folder[Symbol.asyncDispose]();
      });
      void this.#until(ended);
      return terminal;
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What an agent offered when it was last started; empty if unknown. */
  offerOf(name: string): AgentOffer {
    return this.#offers.get(name) ?? {};
  }

  /** Waits, within a limit, until an agent's offer is known; an agent that never ran is probed. Never rejects. */
  async firstOffer(name: string): Promise<void> {
    const isKnown = this.#offers.has(name) || this.#cards.has(name);
    if (isKnown || this.find(name)?.spec === undefined || this.#limits.offerMs === 0) return;
    const learned = new Promise<void>((resolve) => {
      this.#awaited.set(name, [...(this.#awaited.get(name) ?? []), resolve]);
    });
    const first = Promise.race([learned, this.probe(name)]);
    await untilAborted(first, AbortSignal.timeout(this.#limits.offerMs)).catch(() => undefined);
  }

  /** An agent runs. */
  learn(name: string, { capabilities, authMethods }: Required<AgentOffer>): void {
    this.#offers.set(name, { capabilities, authMethods });
    for (const resolve of this.#awaited.get(name) ?? []) resolve();
    this.#awaited.delete(name);
  }

  /** What users typed for an agent. */
  variablesOf({ name, spec }: ListedAgent): TypedVariables {
    const secrets = spec === undefined ? [] : specSecrets(spec);
    const variables = this.#variables.get(name) ?? new TypedVariables(secrets);
    this.#variables.set(name, variables);
    return variables;
  }

  /** The error for a client, without secrets that the agent may have written into it. */
  withoutSecrets(error: RpcError): RpcError {
    return this.#listed.reduce(({ code, message, data }, agent) => {
      const { redaction } = this.variablesOf(agent);
      return new RpcError(code, redaction.text(message), redaction.value(data));
    }, error);
  }

  /** Applies an event in a session of an agent: if it answered a prompt, its user is signed in. */
  take(name: string, event: HostEvent): void {
    if (event.type !== 'turn-end' || !('stopReason' in event) || event.stopReason !== 'end_turn') return;
    if ((this.#offers.get(name)?.authMethods ?? []).length > 0) this.setSignIn(name, 'signed-in');
  }

  setSignIn(name: string, state: SignInState): void {
    if (this.#signIns.get(name) === state) return;
    this.#signIns.set(name, state);
    this.#onChange();
  }

  /** Applies an agent's own report about its user, which overrides what was observed. */
  takeAuthStatus(name: string, { state, accounts }: AuthStatus): void {
    this.#accounts.set(name, accounts);
    const signIn = reportedSignIn(state);
    if (signIn !== undefined) this.#signIns.set(name, signIn);
    this.#onChange();
  }

  /** Ends the agents that run for no session. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#installs.close();
    await Promise.allSettled(this.#running);
  }

  async #find(): Promise<void> {
    const { catalogue, onFault } = this.#hub;
    if (catalogue === undefined) return;
    try {
      const found = await catalogue.find();
      for (const { name, spec } of this.#listed) {
        const now = found.find((agent) => agent.name === name);
        if (specKey(now?.spec) !== specKey(spec)) this.#forget(name);
      }
      this.#listed = found;
      this.#onChange();
    } catch (error) {
      onFault?.(error);
    }
  }

  /** Forgets what is known about an agent that is started differently from now on, or was removed. */
  #forget(name: string): void {
    this.#offers.delete(name);
    this.#cards.delete(name);
    this.#signIns.delete(name);
    this.#accounts.delete(name);
  }

  async #probe(agent: ListedAgent): Promise<AgentCard> {
    const { card, signIn, accounts } = await this.#until(this.#look(agent));
    this.#cards.set(agent.name, card);
    this.#accounts.set(agent.name, accounts);
    // What was seen of a session counts more than what is not known now.
    if (signIn !== 'unknown' || !this.#signIns.has(agent.name)) this.setSignIn(agent.name, signIn);
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

function expectCatalogue({ catalogue }: HubOptions): HubCatalogue {
  if (catalogue === undefined) throw invalidRequest('the agents of this server cannot be changed');
  return catalogue;
}

/** What changes when an agent is started another way. */
function specKey(spec: AgentSpec | undefined): string {
  return JSON.stringify([spec?.reach, spec?.env, spec?.providers]);
}

/** Maximum number of waiting probes. */
const waitingLooks = 1000;

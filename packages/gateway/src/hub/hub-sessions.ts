import { invalidParams, invalidRequest, unknownSession } from '@parley/acp';
import {
  copyEventLog,
  createSessionKey,
  endStoredSession,
  FrameLogs,
  noNotes,
  Session,
  withoutLongContent,
  type FilesStore,
  type FrameLog,
  type CancelOptions,
  type SessionHead,
  type SessionIndex,
} from '@parley/host';
import type { HubQuestion, HubSession, SignInParams } from '@parley/host/hub';
import { defaultHubLimits, type HubLimits } from '../limits.ts';
import { ownedByApplication } from './application-sessions.ts';
import { checkFolder } from './check-folder.ts';
import { HubAgents } from './hub-agents.ts';
import { HubListeners, type HubListener } from './hub-listeners.ts';
import type { HubOptions, ListedAgent } from './hub-options.ts';
import { openWanted } from './hub-worktrees.ts';
import type { BegunSession, NewSession, SessionBeginning } from './new-session.ts';
import { SessionClients } from './session-clients.ts';
import { shownAsStored, toSessionBasis, type SessionBasis } from './stored-session.ts';

/** All sessions: those that are steered from here, and those that are only kept. */
export class HubSessions {
  readonly options: HubOptions;
  readonly limits: HubLimits;
  readonly agents: HubAgents;
  readonly clients: SessionClients = new SessionClients();
  /** Sessions that are being begun for clients that cannot answer. */
  readonly #unattended = new Set<string>();
  readonly #steered = new Map<string, Session>();
  readonly #stored: SessionIndex;
  readonly #listeners = new HubListeners();
  readonly #frames: FrameLogs;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: HubOptions) {
    this.options = options;
    this.limits = { ...defaultHubLimits, ...options.limits };
    this.agents = new HubAgents(options, this.limits, () => {
      this.#listeners.agents();
    });
    this.#stored = options.eventLogs.store.index((key) => {
      this.#listeners.session(key);
    });
    this.#frames = new FrameLogs(options, this.limits);
    options.applications?.listen((key) => {
      if (this.#listeners.size > 0) void this.#stored.find(key).then(() => this.#listeners.session(key));
    });
  }

  get store(): FilesStore {
    return this.options.eventLogs.store;
  }

  /** How the event logs begin, the one written last first. */
  get heads(): readonly SessionHead[] {
    return this.#stored.all
      .map(({ head, updatedAt }) => ({ ...head, updatedAt }))
      .toSorted((left, right) => right.updatedAt - left.updatedAt);
  }

  /** Those of all sessions, the oldest first. */
  get questions(): readonly HubQuestion[] {
    return [...this.#steered.values()]
      .flatMap(({ questions }) => questions)
      .toSorted((left, right) => left.since - right.since);
  }

  /** The one that was used last comes first. */
  get sessions(): readonly HubSession[] {
    const keys = new Set([...this.#steered.keys(), ...this.#stored.all.map(({ key }) => key)]);
    return [...keys]
      .map((key) => this.session(key))
      .filter((session) => session !== undefined)
      .toSorted((left, right) => right.updatedAt - left.updatedAt);
  }

  session(key: string): HubSession | undefined {
    const stored = this.#stored.get(key);
    if (stored?.head.start.origin === 'aap') {
      const state = this.options.applications?.state(key);
      return { ...shownAsStored(stored), ...(state !== undefined && { state }) };
    }
    const shown = this.#steered.get(key)?.shown ?? (stored === undefined ? undefined : shownAsStored(stored));
    if (shown === undefined) return undefined;
    const visible = { ...shown, queue: shown.queue.map(withoutLongContent) };
    if (visible.state !== 'kept' && visible.state !== 'elsewhere') return visible;
    return { ...visible, state: stored?.isElsewhere === true ? 'elsewhere' : 'kept' };
  }

  /** Hears of what changes from now on. Returns what ends that. */
  listen(listener: HubListener): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#stored.glance(), lookMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Looks which event logs there are. */
  look(): Promise<void> {
    return this.#stored.look();
  }

  /** @throws {RpcError} -32002: there is no such session. */
  async expect(key: string): Promise<void> {
    if (!this.#steered.has(key) && (await this.#stored.find(key)) === undefined) throw unknownSession(key);
  }

  /** The frames of a session, to be watched. @throws {RpcError} -32002. */
  async framesOf(key: string): Promise<FrameLog> {
    await this.expect(key);
    const session = this.session(key);
    if (session === undefined) throw unknownSession(key);
    return this.#frames.of(session);
  }

  /** The token that a session belongs to, as far as the session is known without looking. */
  knownOwner(key: string): string | undefined {
    const steered = this.#steered.get(key);
    return steered === undefined ? this.#stored.get(key)?.head.start.owner?.tokenId : steered.owner;
  }

  /** The token that a session belongs to; undefined where there is no session, or it belongs to `admin` only. */
  async ownerOf(key: string): Promise<string | undefined> {
    if (!this.#steered.has(key)) await this.#stored.find(key);
    return this.knownOwner(key);
  }

  /** What an agent wrote to standard error last. */
  logOf(key: string): string {
    return this.#steered.get(key)?.log ?? '';
  }

  /** A session that is steered from here already, if it is. */
  found(key: string): Session | undefined {
    return this.#steered.get(key);
  }

  /**
   * A session, to be steered from here.
   *
   * @throws {RpcError} There is none, or it is not in a folder that sessions may use, or the hub is being closed.
   */
  async steer(key: string): Promise<Session> {
    this.#checkOpen();
    const steered = this.#steered.get(key);
    if (steered !== undefined) return steered;
    const stored = await this.#stored.find(key);
    if (stored === undefined) throw unknownSession(key);
    if (stored.head.start.origin === 'aap') throw ownedByApplication();
    await checkFolder('the session', stored.head.start.cwd, this.options);
    const agent = this.#expectAgent(stored.head.start.agent);
    // Another client may have asked for it meanwhile.
    return this.#steered.get(key) ?? this.#add(agent, toSessionBasis(stored));
  }

  /** Signs in to an agent. Its idle processes end, so that the next ones know of it. @throws {RpcError} */
  async signIn(params: SignInParams): Promise<void> {
    await this.agents.signIn(params);
    const sessions = [...this.#steered.values()].filter(({ shown }) => shown.agent === params.agent);
    await Promise.all(sessions.map((session) => session.renew()));
  }

  /** Whether a session was begun over AAP: then only its application steers it. */
  async isOfApplication(key: string): Promise<boolean> {
    return !this.#steered.has(key) && (await this.#stored.find(key))?.head.start.origin === 'aap';
  }

  /** Ends the turn that runs, of any client. Settles when it has ended. */
  async cancel(key: string, options?: CancelOptions): Promise<void> {
    if (await this.isOfApplication(key)) await this.options.applications?.cancel(key);
    else await this.#steered.get(key)?.turns.cancel(options);
  }

  /** Begins a session. If it throws, nothing is left of it. */
  async begin({
    cwd,
    additionalDirectories,
    meta,
    owner,
    mcpServers,
    agentMeta,
    slotWaitMs,
  }: NewSession): Promise<BegunSession> {
    const { defaultAgent } = this.options;
    const { 'parley/agent': name = defaultAgent, 'parley/mode': mode, 'parley/options': choices = {} } = meta;
    const agent = this.agents.find(name);
    if (agent === undefined) throw invalidParams('_meta.parley/agent', 'the name of an agent');
    for (const folder of [cwd, ...additionalDirectories]) {
      await checkFolder('session/new', folder, this.options);
    }
    await using place = await openWanted(cwd, meta, this.options.worktrees);
    const session = this.#addNew(
      agent,
      { cwd: place?.cwd ?? cwd, owner, ...(place !== undefined && { worktree: place.worktree }) },
      {
        additionalDirectories,
        ...(mcpServers !== undefined && { mcpServers }),
        ...(agentMeta !== undefined && { meta: agentMeta }),
        ...(slotWaitMs !== undefined && { slotWaitMs }),
      },
    );
    const key = session.sessionId;
    try {
      if (meta['parley/unattended'] === true) this.#unattended.add(key);
      await session.open();
      if (mode !== undefined) await session.setMode(mode);
      for (const [id, value] of Object.entries(choices)) await session.setOption(id, value);
      const offered = await session.open();
      place?.keep();
      return { key, ...offered, ...(place !== undefined && { notes: place.notes }) };
    } catch (error) {
      await this.#discard(session);
      throw error;
    } finally {
      this.#unattended.delete(key);
    }
  }

  /** A session of its own that begins as another one is. @throws {RpcError} Its agent cannot do that, or does something. */
  async fork(of: string, owner: string): Promise<BegunSession> {
    const origin = await this.steer(of);
    const agentSessionId = await origin.fork();
    const { cwd, worktree, agent, title } = origin.shown;
    const place = { cwd, ...(worktree !== undefined && { worktree }) };
    const session = this.#addNew(this.#expectAgent(agent), { ...place, owner }, { agentSessionId });
    const { sessionId: key } = session;
    try {
      const { program } = this.options.eventLogs;
      const start = { agent, ...place, program, owner: { tokenId: owner } };
      await copyEventLog(this.store, { from: of, to: key, start });
      const opened = await session.open();
      if (title !== undefined) session.rename(title);
      return { ...opened, key };
    } catch (error) {
      await this.#discard(session);
      throw error;
    }
  }

  /** Ends a session for all its clients, and with its agent; its event log stays. @throws {RpcError} -32002 */
  async closeSession(key: string): Promise<void> {
    await this.expect(key);
    if (await this.isOfApplication(key)) throw ownedByApplication();
    const session = this.#steered.get(key);
    const hasRun = session?.run !== undefined;
    await session?.close();
    const { agent, cwd } = this.session(key) ?? {};
    if (hasRun || agent === undefined || cwd === undefined) return;
    await endStoredSession({ key, agent, cwd }, this.options);
  }

  /** Removes a session and its event log; its agent forgets it too, where it can. @throws {RpcError} */
  async remove(key: string): Promise<void> {
    await this.expect(key);
    const { applications } = this.options;
    if (applications !== undefined && (await this.isOfApplication(key))) {
      await applications.remove(key);
      return this.#drop(key);
    }
    const session = this.#steered.get(key);
    await session?.forget();
    const { owner } = await this.store.remove(key);
    if (owner !== undefined) {
      throw invalidRequest(`session/delete: the ${owner.name} has the session open`);
    }
    this.#drop(key);
  }

  /** Ends all agents, and begins nothing more; the sessions are kept. Those that are busy have their time. Never rejects. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const ended = await Promise.allSettled([
      this.agents.close(),
      ...Array.from(this.#steered.values(), async (session) => {
        session.turns.hold();
        await session.turns.settled(graceMs);
        await session.shutDown({ graceMs: lastCancelMs });
      }),
    ]);
    for (const end of ended) if (end.status === 'rejected') this.options.onFault?.(end.reason);
    await this.#stored.settled();
  }

  #checkOpen(): void {
    if (this.#isClosing) throw invalidRequest('the server is ending');
  }

  /** @throws {RpcError} The hub does not offer it. */
  #expectAgent(name: string): ListedAgent {
    const agent = this.agents.find(name);
    if (agent !== undefined) return agent;
    throw invalidRequest(`its agent ${JSON.stringify(name)} is none that is offered here`);
  }

  #addNew(
    agent: ListedAgent,
    place: Pick<SessionBasis, 'cwd' | 'worktree' | 'owner'>,
    beginning: SessionBeginning,
  ): Session {
    const now = Date.now();
    const basis = { key: createSessionKey(), ...place, createdAt: now, updatedAt: now, notes: noNotes };
    return this.#add(agent, basis, beginning);
  }

  #add(agent: ListedAgent, basis: SessionBasis, beginning: SessionBeginning = {}): Session {
    this.#checkOpen();
    const { key, cwd } = basis;
    const { options, limits } = this;
    const session: Session = new Session({
      ...basis,
      agent: agent.name,
      ...(agent.spec !== undefined && { spec: agent.spec }),
      runtime: options,
      limits,
      variables: this.agents.variablesOf(agent),
      frames: this.#frames.of({ key, agent: agent.name, cwd }),
      ...beginning,
      onChange: () => {
        this.#listeners.session(key);
      },
      onQuestions: (settled) => {
        this.#listeners.questions(settled);
      },
      onTerminal: (text) => {
        this.#listeners.terminal(key, text);
      },
      onSignIn: (state) => {
        this.agents.setSignIn(agent.name, state);
      },
      onLog: (text) => {
        this.#listeners.log(key, text);
      },
      onAgent: (connection) => {
        this.agents.learn(agent.name, connection);
      },
      clients: this.clients.of({
        key,
        agentSessionId: () => session.agentSessionId,
        lastEvent: () => session.facts.clientSeq,
      }),
      onElsewhere: () => void this.#stored.find(key),
      refuses: (question, isTurnUnattended) =>
        this.clients.refuses(question, isTurnUnattended || this.#unattended.has(key)),
    });
    this.#steered.set(key, session);
    return session;
  }

  async #discard(session: Session): Promise<void> {
    await session.forget().catch(() => undefined);
    await this.store.remove(session.sessionId);
    this.#drop(session.sessionId);
  }

  #drop(key: string): void {
    this.#steered.delete(key);
    this.#frames.delete(key);
    this.#stored.remove(key);
    this.#listeners.session(key);
    this.#listeners.questions();
  }
}

/** How often to check which sessions other programs have, while a client is connected. */
const lookMs = 5000;

/** How long an agent may take to end its turn when the hub closes: a server has to end all of them in time. */
const lastCancelMs = 2000;

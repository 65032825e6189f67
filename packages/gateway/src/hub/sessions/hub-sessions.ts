import { invalidParams, invalidRequest, unknownSession } from '@parley/acp';
import {
  copyEventLog,
  createSessionKey,
  endStoredSession,
  FrameLogs,
  noNotes,
  withoutLongContent,
  type FrameLog,
  type Session,
  type CancelOptions,
  type SessionHead,
  type SessionIndex,
  type SessionStore,
} from '@parley/host';
import type { HubQuestion, HubSession } from '@parley/host/hub';
import { shorten } from '@parley/wire';
import { defaultHubLimits, type HubLimits } from '../../limits.ts';
import { HubAgents } from '../agents/hub-agents.ts';
import type { ListedAgent } from '../agents/hub-catalogue.ts';
import { ownedByApplication } from '../application-sessions.ts';
import { checkFolder } from '../check-folder.ts';
import { HubDelegation } from '../hub-delegation.ts';
import { HubListeners, type HubListener } from '../hub-listeners.ts';
import type { HubOptions } from '../hub-options.ts';
import { sandboxOf } from '../hub-sandbox.ts';
import { openWanted } from '../hub-worktrees.ts';
import { Presence } from '../presence.ts';
import { HubReplicas } from '../replicas/hub-replicas.ts';
import { HubRaces } from '../worktrees/hub-races.ts';
import { WorktreeChanges } from '../worktrees/worktree-changes.ts';
import { toBeginning, type BegunSession, type NewSession, type SessionBeginning } from './new-session.ts';
import { RemovedSessions } from './removed-sessions.ts';
import { SessionClients } from './session-clients.ts';
import { createSteeredSession } from './steered-session.ts';
import { SteeredSessions } from './steered-sessions.ts';
import { shownAsStored, toSessionBasis, type SessionBasis } from './stored-session.ts';
import { TokenMarks } from './token-marks.ts';

/** All sessions: those that are steered from here, and those that are only kept. */
export class HubSessions {
  readonly options: HubOptions;
  readonly limits: HubLimits;
  readonly agents: HubAgents;
  readonly clients: SessionClients = new SessionClients();
  readonly marks: TokenMarks;
  readonly presence: Presence;
  readonly worktrees: WorktreeChanges;
  readonly races: HubRaces = new HubRaces(this);
  readonly steered: SteeredSessions = new SteeredSessions();
  /** The processes that serve the same sessions; undefined for a hub of one. */
  readonly replicas: HubReplicas | undefined;
  readonly #delegation: HubDelegation;
  /** Sessions that are being begun for clients that cannot answer. */
  readonly #unattended = new Set<string>();
  readonly #stored: SessionIndex;
  readonly #listeners = new HubListeners();
  readonly #frames: FrameLogs;
  readonly #removed = new RemovedSessions(this, (key) => this.#drop(key));
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: HubOptions) {
    this.options = options;
    this.limits = { ...defaultHubLimits, ...options.limits };
    this.marks = new TokenMarks(options, this.#listeners);
    this.presence = new Presence(this.limits.lookMs, this.#listeners);
    this.agents = new HubAgents(options, this.limits, () => {
      this.#listeners.agents();
    });
    this.#stored = this.#removed.index((key) => {
      this.#listeners.session(key);
    });
    this.#frames = new FrameLogs(options, this.limits);
    this.replicas = options.replicas && new HubReplicas(this, options.replicas, this.#listeners);
    const { teamIn, worktrees } = options;
    this.#delegation = new HubDelegation({
      ...(teamIn !== undefined && { teamIn }),
      ...(worktrees !== undefined && { worktrees }),
      find: (name) => this.agents.findNow(name),
      add: (agent, basis, beginning) => this.#add(agent, basis, beginning),
    });
    this.worktrees = new WorktreeChanges(options, () => {
      this.#listeners.worktrees();
    });
    options.applications?.listen((key) => {
      if (this.#listeners.size > 0) void this.find(key).then(() => this.#listeners.session(key));
    });
  }

  get store(): SessionStore {
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
    const shared = [...(this.replicas?.shared.values() ?? [])].flatMap(({ questions }) => questions);
    return [...this.steered.questions, ...shared];
  }

  /** The one that was used last comes first. */
  get sessions(): readonly HubSession[] {
    const keys = new Set([...this.steered.all.keys(), ...this.#stored.all.map(({ key }) => key)]);
    return [...keys]
      .flatMap((key) => this.session(key) ?? [])
      .toSorted((left, right) => right.updatedAt - left.updatedAt);
  }

  session(key: string): HubSession | undefined {
    const stored = this.#stored.get(key);
    if (stored?.head.start.origin === 'aap') {
      const state = this.options.applications?.state(key);
      return { ...shownAsStored(stored), ...(state !== undefined && { state }) };
    }
    const elsewhere = this.steered.isActive(key) ? undefined : this.replicas?.shared.get(key);
    if (elsewhere !== undefined) return { ...elsewhere.session, machine: elsewhere.replica };
    const shown = this.steered.get(key)?.shown ?? (stored === undefined ? undefined : shownAsStored(stored));
    if (shown === undefined) return undefined;
    const machine = this.steered.isActive(key) ? this.replicas?.name : undefined;
    const visible = {
      ...shown,
      queue: shown.queue.map(withoutLongContent),
      ...(machine !== undefined && { machine }),
    };
    if (visible.state !== 'kept' && visible.state !== 'elsewhere') return visible;
    return { ...visible, state: stored?.isElsewhere === true ? 'elsewhere' : 'kept' };
  }

  /** Adds a listener for changes. Returns a function that removes it. */
  listen(listener: HubListener): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      void this.#stored.glance();
      this.worktrees.look();
    }, lookMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Looks which event logs, agents and marks there are. */
  async look(): Promise<void> {
    await Promise.all([this.#stored.look(), this.agents.look(), this.marks.load()]);
    await this.#removed.look();
  }

  /** @throws {RpcError} -32002: there is no such session. */
  async expect(key: string): Promise<void> {
    const isKnown = this.steered.get(key) !== undefined || (await this.#stored.find(key)) !== undefined;
    if (!isKnown) throw unknownSession(key);
  }

  /** Reads again what the store has of a session. Never rejects: where that cannot be read, what is known of it stays. */
  async find(key: string): Promise<void> {
    await this.#stored.find(key).catch((error: unknown) => this.options.onFault?.(error));
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
    const steered = this.steered.get(key);
    return steered === undefined ? this.#stored.get(key)?.head.start.owner?.tokenId : steered.owner;
  }

  /** The token that a session belongs to; undefined where there is no session, or it belongs to `admin` only. */
  async ownerOf(key: string): Promise<string | undefined> {
    if (this.steered.get(key) === undefined) await this.#stored.find(key);
    return this.knownOwner(key);
  }

  /** What an agent wrote to standard error last. */
  logOf(key: string): string {
    return this.steered.get(key)?.log ?? '';
  }

  /** A session that is steered from here already, if it is. */
  found(key: string): Session | undefined {
    return this.steered.get(key);
  }

  /**
   * A session, to be steered from here.
   *
   * @throws {RpcError} There is none, or it is not in a folder that sessions may use, or the hub is being closed.
   */
  async steer(key: string): Promise<Session> {
    this.#checkOpen();
    return this.steered.get(key) ?? this.steered.whenRead(key, () => this.#read(key));
  }

  async #read(key: string): Promise<Session> {
    const stored = await this.#stored.find(key);
    if (stored === undefined) throw unknownSession(key);
    if (stored.head.start.origin === 'aap') throw ownedByApplication();
    const cwd = this.replicas?.folderOf(key) ?? stored.head.start.cwd;
    await checkFolder('the session', cwd, this.options);
    const agent = await this.#expectAgent(stored.head.start.agent);
    const delegation = await this.#delegation.resume(cwd, stored.head.start.team);
    const basis = { ...toSessionBasis(stored), cwd };
    return this.#add(agent, basis, delegation === undefined ? {} : { delegation });
  }

  /** Has idle processes of an agent started again. */
  async renew(agent: string): Promise<void> {
    const own = [...this.steered.all.values()].filter(({ shown }) => shown.agent === agent);
    await Promise.all(own.map((session) => session.renew()));
  }

  /** Whether a session was begun over AAP: then only its application steers it. */
  async isOfApplication(key: string): Promise<boolean> {
    return this.steered.get(key) === undefined && (await this.#stored.find(key))?.head.start.origin === 'aap';
  }

  /** Ends the turn that runs, of any client. Settles when it has ended. */
  async cancel(key: string, options?: CancelOptions): Promise<void> {
    if (await this.isOfApplication(key)) await this.options.applications?.cancel(key);
    else await this.steered.get(key)?.turns.cancel(options);
  }

  /** Begins a session. If it throws, nothing is left of it. */
  async begin(wanted: NewSession): Promise<BegunSession> {
    const { cwd, additionalDirectories, meta, owner, mayWiden = false, place: given } = wanted;
    const { defaultAgent } = this.options;
    const { 'parley/agent': name = defaultAgent, 'parley/mode': mode, 'parley/options': choices = {} } = meta;
    const agent = await this.agents.findNow(name);
    if (agent === undefined) throw invalidParams('_meta.parley/agent', 'the name of an agent');
    for (const folder of [cwd, ...additionalDirectories]) {
      await checkFolder('session/new', folder, this.options);
    }
    const delegation = await this.#delegation.begin(cwd, meta['parley/team']);
    await using opened =
      given === undefined ? await openWanted(cwd, meta, this.options.worktrees) : undefined;
    const place = given ?? opened;
    const folder = place?.cwd ?? cwd;
    const session = this.#addNew(
      agent,
      {
        cwd: folder,
        owner,
        ...(place !== undefined && { worktree: place.worktree }),
        ...(await sandboxOf(meta, { agent, cwd: folder, mayWiden }, this.options)),
      },
      { ...toBeginning(wanted), ...(delegation !== undefined && { delegation }) },
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
    const { sandbox } = this.#stored.get(of)?.head.start ?? {};
    const chosen = sandbox === undefined ? {} : { sandbox };
    const place = { cwd, ...chosen, ...(worktree !== undefined && { worktree }) };
    const session = this.#addNew(await this.#expectAgent(agent), { ...place, owner }, { agentSessionId });
    const { sessionId: key } = session;
    try {
      const start = { agent, ...place, program: this.options.eventLogs.program, owner: { tokenId: owner } };
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
    const session = this.steered.get(key);
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
    const session = this.steered.get(key);
    await session?.forget();
    await this.replicas?.release(key);
    const { owner } = await this.store.remove(key);
    if (owner !== undefined) {
      throw invalidRequest(`session/delete: the ${owner.name} has the session open`);
    }
    this.#drop(key);
  }

  /** Ends all agents, and begins nothing more; the sessions are kept. Those that are busy have their time. Never rejects. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    this.replicas?.stop();
    clearInterval(this.#timer);
    const ended = await Promise.allSettled([
      this.agents.close(),
      this.races.close(),
      ...this.steered.end(graceMs, async (key) => this.replicas?.passOn(key)),
    ]);
    for (const end of ended) if (end.status === 'rejected') this.options.onFault?.(end.reason);
    await this.#delegation.close();
    await this.#stored.settled();
  }

  #checkOpen(): void {
    if (this.#isClosing) throw invalidRequest('the server is ending');
  }

  /** @throws {RpcError} The hub does not offer it. */
  async #expectAgent(name: string): Promise<ListedAgent> {
    const agent = await this.agents.findNow(name);
    if (agent !== undefined) return agent;
    throw invalidRequest(`its agent ${JSON.stringify(shorten(name))} is not available here`);
  }

  #addNew(
    agent: ListedAgent,
    place: Pick<SessionBasis, 'cwd' | 'worktree' | 'sandbox' | 'owner'>,
    beginning: SessionBeginning,
  ): Session {
    const now = Date.now();
    const basis = { key: createSessionKey(), ...place, createdAt: now, updatedAt: now, notes: noNotes };
    return this.#add(agent, basis, beginning);
  }

  #add(agent: ListedAgent, basis: SessionBasis, beginning: SessionBeginning = {}): Session {
    this.#checkOpen();
    const { key, cwd } = basis;
    const session = createSteeredSession(agent, basis, {
      table: this,
      listeners: this.#listeners,
      frames: this.#frames.of({ key, agent: agent.name, cwd }),
      beginning,
      isUnattended: () => this.#unattended.has(key),
      onElsewhere: () => void this.find(key),
    });
    this.steered.add(session);
    return session;
  }

  async #discard(session: Session): Promise<void> {
    await session.forget().catch(() => undefined);
    await this.store.remove(session.sessionId);
    this.#drop(session.sessionId);
  }

  #drop(key: string): void {
    this.steered.delete(key);
    this.#frames.delete(key);
    this.#stored.remove(key);
    void this.marks.forget(key);
    this.#listeners.session(key);
    this.#listeners.questions();
  }
}

/** Interval of checks for sessions of other programs, while a client is connected. */
const lookMs = 5000;

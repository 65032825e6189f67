import { invalidRequest, unknownSession } from '@parley/acp';
import type { NewSessionRequest, ResumeSessionRequest } from '@parley/acp';
import type { ListSessionsRequest, ListSessionsResponse } from '@parley/acp/unstable';
import { RpcError, rpcCodes } from '@parley/wire';
import { errorCode } from '../error-code.ts';
import type { Jobs } from '../job/jobs.ts';
import { checkMcpServers } from '../mcp/check-mcp-servers.ts';
import type { OpenServers } from '../mcp/open-servers.ts';
import { defaultMode } from '../permission/mode.ts';
import { listSessions } from './list-sessions.ts';
import { mcpFingerprint } from './mcp-fingerprint.ts';
import { openDirectories } from './open-directories.ts';
import { openPermissions } from './open-permissions.ts';
import { openSession } from './open-session.ts';
import type { SessionSetup } from './open-session.ts';
import { copySession } from './record/copy-session.ts';
import { checkHead, restoreSession, type ShowHistory } from './record/restore-session.ts';
import { SessionRecorder } from './record/session-recorder.ts';
import type { SessionStore } from './record/session-store.ts';
import { openSessionModel } from './session-model.ts';
import type { Session } from './session.ts';
import { StoredSessions } from './stored-sessions.ts';
import { toRefusal } from './to-refusal.ts';

/** What the sessions of a connection work with. */
export interface SessionsOptions extends SessionSetup {
  /** Their MCP servers. */
  readonly servers: OpenServers;
}

/** The open sessions of a connection, and the stored ones. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, Session>();
  /** The commands in the background of sessions that are open, or being closed. */
  readonly #jobs = new Set<Jobs>();
  /** Closed sessions without messages, which are removed with the connection. */
  readonly #unused = new Set<string>();
  /** Sessions that are being resumed. */
  readonly #restoring = new Set<string>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  find(sessionId: string): Session {
    this.#checkRestoring(sessionId);
    const session = this.#open.get(sessionId);
    // The connection knows which sessions are open; one that is missing here was closed in this moment.
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }

  /** A new session. Where there is no room for its log, that is reported, and it works all the same; a full disk is refused. */
  async create(request: NewSessionRequest): Promise<Session> {
    const { environment, limits, models } = this.#options;
    const { cwd, mcpServers } = request;
    checkMcpServers(mcpServers);
    const files = await openDirectories(environment, request);
    const permissions = await openPermissions(this.#options, { cwd, files });
    const model = await openSessionModel(models, cwd);
    this.#checkRoom();
    const id = this.#createId();
    const recorder = await this.#createRecorder(id);
    if (recorder.isSaving) {
      recorder.note({
        type: 'session',
        id,
        time: recorder.now(),
        cwd,
        directories: request.additionalDirectories ?? [],
        modeId: defaultMode,
        modelId: model.current.id,
        mcpServers: await mcpFingerprint(mcpServers),
      });
      // A session that a client knows is there, and no newer than what is said in another one later.
      try {
        await recorder.flush();
      } catch (error) {
        await recorder.close();
        await this.#store()?.remove(id);
        throw error;
      }
    }
    const session = openSession({ id, cwd, files, model, permissions, mcpServers, recorder }, this.#options);
    // Others may have been opened meanwhile.
    if (this.#open.size >= limits.maxSessions) {
      await recorder.close();
      await this.#store()?.remove(id);
      throw tooManySessions(this.#open.size);
    }
    this.#enter(session);
    return session;
  }

  /**
   * Resumes a stored session with the folders and MCP servers of the request.
   *
   * @param show Receives the history for the client. Absent if the client has it.
   */
  async restore(request: ResumeSessionRequest, show?: ShowHistory): Promise<Session> {
    const { sessionId } = request;
    const store = this.#store();
    if (store === undefined) throw unknownSession(sessionId);
    const open = this.#open.get(sessionId);
    if (open?.isInTurn === true) {
      throw new RpcError(rpcCodes.invalidRequest, `A turn is running in session ${sessionId}`, { sessionId });
    }
    this.#checkRestoring(sessionId);
    checkMcpServers(request.mcpServers ?? []);
    if (open === undefined) this.#checkRoom();
    this.#restoring.add(sessionId);
    try {
      const { title } = await store.marksOf(sessionId);
      const session = await restoreSession(request, {
        setup: this.#options,
        store,
        ...(show !== undefined && { show }),
        // The same client takes it up anew: what is open here makes room once the request is known to be good.
        release: () => this.close(sessionId),
      });
      session.isTitled = title !== undefined;
      this.#unused.delete(sessionId);
      this.#enter(session);
      return session;
    } finally {
      this.#restoring.delete(sessionId);
    }
  }

  /**
   * Forks a session, open or stored, up to its last finished turn. The original is unchanged, even if a turn is
   * running.
   */
  async fork(request: ResumeSessionRequest): Promise<Session> {
    const { sessionId } = request;
    const store = this.#store();
    if (store === undefined) throw unknownSession(sessionId);
    this.#checkRoom();
    const recorder = this.#open.get(sessionId)?.recorder;
    await recorder?.flush();
    if (recorder?.isSaving === false) {
      throw invalidRequest(`Session ${sessionId} is not stored, so it cannot be forked`, { sessionId });
    }
    await checkHead(request, { setup: this.#options, store });
    const id = this.#createId();
    try {
      await copySession(store, { from: sessionId, to: id, createId: () => this.#createId() });
      const { title } = await store.marksOf(sessionId);
      if (title !== undefined) await store.mark(id, { title });
      return await this.restore({ ...request, sessionId: id });
    } catch (error) {
      // What went wrong first is what counts.
      await store.remove(id).catch(() => undefined);
      throw toRefusal(error, sessionId);
    }
  }

  /** The stored sessions, open or not. */
  get stored(): StoredSessions {
    return new StoredSessions({
      store: this.#store(),
      find: (id) => this.#open.get(id),
      close: (id) => this.close(id),
    });
  }

  async list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { environment, limits } = this.#options;
    const store = this.#store();
    if (store === undefined) return { sessions: [] };
    // The store is read: what open sessions recorded has to be in it.
    // What cannot be is known to its own session.
    await Promise.allSettled([...this.#open.values()].map(({ recorder }) => recorder.flush()));
    return listSessions(request, {
      store,
      pageSize: limits.listedSessions,
      isOpen: (id) => this.#open.has(id) || this.#unused.has(id),
      toAbsolutePath: (path) => environment.toAbsolutePath(path, '.'),
    });
  }

  /** The session of this directory that was used last. */
  async latest(cwd: string): Promise<string | undefined> {
    const { sessions } = await this.list({ cwd });
    return sessions[0]?.sessionId;
  }

  /** Saves what is left of a session and forgets it; it can be restored. */
  async close(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    if (session === undefined) return;
    this.#open.delete(sessionId);
    if (!session.hasTurns) this.#unused.add(sessionId);
    const { jobs } = session.workplace;
    await Promise.all([session.recorder.close(), this.#options.servers.close(session.servers), jobs.close()]);
    this.#jobs.delete(jobs);
    await session.sandbox.close();
  }

  /** Deletes a session permanently; an unknown one counts as deleted. */
  async remove(sessionId: string): Promise<void> {
    await this.close(sessionId);
    this.#unused.delete(sessionId);
    try {
      await this.#store()?.remove(sessionId);
    } catch (error) {
      throw toRefusal(error, sessionId);
    }
  }

  /** Ends what the sessions run in the background. */
  async endJobs(): Promise<void> {
    await Promise.all([...this.#jobs].map((jobs) => jobs.close()));
  }

  /** Closes all sessions. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
    // What cannot be removed now is an empty session that no list shows.
    await Promise.allSettled([...this.#unused].map((id) => this.remove(id)));
  }

  #store(): SessionStore | undefined {
    return this.#options.environment.sessions;
  }

  /** Rejects requests for a session that is being resumed. */
  #checkRestoring(sessionId: string): void {
    if (!this.#restoring.has(sessionId)) return;
    throw new RpcError(rpcCodes.invalidRequest, `Session ${sessionId} is being restored`, { sessionId });
  }

  /** Cancels the work of a sub-agent, where it works for one of these sessions. */
  cancelSubagent(sessionId: string): void {
    for (const { subagents } of this.#open.values()) subagents.cancel(sessionId);
  }

  #createId(): string {
    return `sess_${this.#options.environment.createId()}`;
  }

  #checkRoom(): void {
    if (this.#open.size >= this.#options.limits.maxSessions) throw tooManySessions(this.#open.size);
  }

  #enter(session: Session): void {
    this.#open.set(session.id, session);
    this.#jobs.add(session.workplace.jobs);
    this.#options.servers.connect(session.servers);
  }

  async #createRecorder(id: string): Promise<SessionRecorder> {
    const { limits } = this.#options;
    const store = this.#store();
    if (store === undefined) return new SessionRecorder({ limits });
    try {
      return new SessionRecorder({ limits, kept: { log: await store.create(id), now: () => store.now() } });
    } catch (error) {
      if (errorCode(error) === 'no-space') throw toRefusal(error, id);
      return new SessionRecorder({ limits, failure: error });
    }
  }
}

function tooManySessions(count: number): RpcError {
  return new RpcError(rpcCodes.internalError, `${String(count)} sessions are open; close one first`);
}

import { invalidRequest, unknownSession } from '@parley/acp';
import type { NewSessionRequest, ResumeSessionRequest } from '@parley/acp';
import type { ListSessionsRequest, ListSessionsResponse } from '@parley/acp/unstable';
import { RpcError, rpcCodes } from '@parley/wire';
import { errorCode } from '../error-code.ts';
import type { Jobs } from '../job/jobs.ts';
import { checkMcpServers } from '../mcp/check-mcp-servers.ts';
import type { OpenServers } from '../mcp/open-servers.ts';
import { defaultMode } from '../permission/mode.ts';
import { openConversationModel } from './conversation-model.ts';
import type { Conversation } from './conversation.ts';
import { listSessions } from './list-sessions.ts';
import { mcpFingerprint } from './mcp-fingerprint.ts';
import { openConversation } from './open-conversation.ts';
import type { ConversationSetup } from './open-conversation.ts';
import { openDirectories } from './open-directories.ts';
import { openPermissions } from './open-permissions.ts';
import { ConversationRecorder } from './record/conversation-recorder.ts';
import type { ConversationStore } from './record/conversation-store.ts';
import { copyConversation } from './record/copy-conversation.ts';
import { checkHead, restoreConversation, type ShowHistory } from './record/restore-conversation.ts';
import { StoredConversations } from './stored-conversations.ts';
import { toRefusal } from './to-refusal.ts';

/** What the conversations of a connection work with. */
export interface ConversationsOptions extends ConversationSetup {
  /** Their MCP servers. */
  readonly servers: OpenServers;
}

/** The open conversations of a connection, and the stored ones. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #open = new Map<string, Conversation>();
  /** The commands in the background of conversations that are open, or being closed. */
  readonly #jobs = new Set<Jobs>();
  /** Closed conversations without messages, which are removed with the connection. */
  readonly #unused = new Set<string>();
  /** Conversations that are being resumed. */
  readonly #restoring = new Set<string>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  find(sessionId: string): Conversation {
    this.#checkRestoring(sessionId);
    const conversation = this.#open.get(sessionId);
    // The connection knows which conversations are open; one that is missing here was closed in this moment.
    if (conversation === undefined) throw unknownSession(sessionId);
    return conversation;
  }

  /** A new conversation. Where there is no room for its log, that is reported, and it works all the same; a full disk is refused. */
  async create(request: NewSessionRequest): Promise<Conversation> {
    const { environment, limits, models } = this.#options;
    const { cwd, mcpServers } = request;
    checkMcpServers(mcpServers);
    const files = await openDirectories(environment, request);
    const permissions = await openPermissions(this.#options, { cwd, files });
    const model = await openConversationModel(models, cwd);
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
      // A conversation that a client knows is there, and no newer than what is said in another one later.
      try {
        await recorder.flush();
      } catch (error) {
        await recorder.close();
        await this.#store()?.remove(id);
        throw error;
      }
    }
    const conversation = openConversation(
      { id, cwd, files, model, permissions, mcpServers, recorder },
      this.#options,
    );
    // Others may have been opened meanwhile.
    if (this.#open.size >= limits.maxSessions) {
      await recorder.close();
      await this.#store()?.remove(id);
      throw tooManySessions(this.#open.size);
    }
    this.#enter(conversation);
    return conversation;
  }

  /**
   * Resumes a stored conversation with the folders and MCP servers of the request.
   *
   * @param show Receives the history for the client. Absent if the client has it.
   */
  async restore(request: ResumeSessionRequest, show?: ShowHistory): Promise<Conversation> {
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
      const conversation = await restoreConversation(request, {
        setup: this.#options,
        store,
        ...(show !== undefined && { show }),
        // The same client takes it up anew: what is open here makes room once the request is known to be good.
        release: () => this.close(sessionId),
      });
      conversation.isTitled = title !== undefined;
      this.#unused.delete(sessionId);
      this.#enter(conversation);
      return conversation;
    } finally {
      this.#restoring.delete(sessionId);
    }
  }

  /**
   * Forks a conversation, open or stored, up to its last finished turn. The original is unchanged, even if a turn is
   * running.
   */
  async fork(request: ResumeSessionRequest): Promise<Conversation> {
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
      await copyConversation(store, { from: sessionId, to: id, createId: () => this.#createId() });
      const { title } = await store.marksOf(sessionId);
      if (title !== undefined) await store.mark(id, { title });
      return await this.restore({ ...request, sessionId: id });
    } catch (error) {
      // What went wrong first is what counts.
      await store.remove(id).catch(() => undefined);
      throw toRefusal(error, sessionId);
    }
  }

  /** The stored conversations, open or not. */
  get stored(): StoredConversations {
    return new StoredConversations({
      store: this.#store(),
      find: (id) => this.#open.get(id),
      close: (id) => this.close(id),
    });
  }

  async list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { environment, limits } = this.#options;
    const store = this.#store();
    if (store === undefined) return { sessions: [] };
    // The store is read: what open conversations recorded has to be in it.
    // What cannot be is known to its own conversation.
    await Promise.allSettled([...this.#open.values()].map(({ recorder }) => recorder.flush()));
    return listSessions(request, {
      store,
      pageSize: limits.listedSessions,
      isOpen: (id) => this.#open.has(id) || this.#unused.has(id),
      toAbsolutePath: (path) => environment.toAbsolutePath(path, '.'),
    });
  }

  /** The conversation of this directory that was used last. */
  async latest(cwd: string): Promise<string | undefined> {
    const { sessions } = await this.list({ cwd });
    return sessions[0]?.sessionId;
  }

  /** Saves what is left of a conversation and forgets it; it can be restored. */
  async close(sessionId: string): Promise<void> {
    const conversation = this.#open.get(sessionId);
    if (conversation === undefined) return;
    this.#open.delete(sessionId);
    if (!conversation.hasTurns) this.#unused.add(sessionId);
    const { jobs } = conversation.workplace;
    await Promise.all([
      conversation.recorder.close(),
      this.#options.servers.close(conversation.servers),
      jobs.close(),
    ]);
    this.#jobs.delete(jobs);
    await conversation.sandbox.close();
  }

  /** Deletes a conversation permanently; an unknown one counts as deleted. */
  async remove(sessionId: string): Promise<void> {
    await this.close(sessionId);
    this.#unused.delete(sessionId);
    try {
      await this.#store()?.remove(sessionId);
    } catch (error) {
      throw toRefusal(error, sessionId);
    }
  }

  /** Ends what the conversations run in the background. */
  async endJobs(): Promise<void> {
    await Promise.all([...this.#jobs].map((jobs) => jobs.close()));
  }

  /** Closes all conversations. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
    // What cannot be removed now is an empty conversation that no list shows.
    await Promise.allSettled([...this.#unused].map((id) => this.remove(id)));
  }

  #store(): ConversationStore | undefined {
    return this.#options.environment.conversations;
  }

  /** Rejects requests for a conversation that is being resumed. */
  #checkRestoring(sessionId: string): void {
    if (!this.#restoring.has(sessionId)) return;
    throw new RpcError(rpcCodes.invalidRequest, `Session ${sessionId} is being restored`, { sessionId });
  }

  /** Cancels the work of a sub-agent, where it works for one of these conversations. */
  cancelSubagent(sessionId: string): void {
    for (const { subagents } of this.#open.values()) subagents.cancel(sessionId);
  }

  #createId(): string {
    return `sess_${this.#options.environment.createId()}`;
  }

  #checkRoom(): void {
    if (this.#open.size >= this.#options.limits.maxSessions) throw tooManySessions(this.#open.size);
  }

  #enter(conversation: Conversation): void {
    this.#open.set(conversation.id, conversation);
    this.#jobs.add(conversation.workplace.jobs);
    this.#options.servers.connect(conversation.servers);
  }

  async #createRecorder(id: string): Promise<ConversationRecorder> {
    const { limits } = this.#options;
    const store = this.#store();
    if (store === undefined) return new ConversationRecorder({ limits });
    try {
      return new ConversationRecorder({
        limits,
        kept: { log: await store.create(id), now: () => store.now() },
      });
    } catch (error) {
      if (errorCode(error) === 'no-space') throw toRefusal(error, id);
      return new ConversationRecorder({ limits, failure: error });
    }
  }
}

function tooManySessions(count: number): RpcError {
  return new RpcError(rpcCodes.internalError, `${String(count)} sessions are open; close one first`);
}

import { createAgent, invalidParams, invalidRequest, type AgentConnection } from '@parley/acp';
import { deskMethods, type AttendResult } from '@parley/host/desk';
import { RpcError, rpcCodes, type Transport } from '@parley/wire';
import type { Principal } from '../access/token.ts';
import {
  parseAnswerParams,
  parseCancelParams,
  parseNewSessionMeta,
  parseQueueParams,
  parseRenameParams,
  parseSessionParams,
  parseWatchParams,
} from './desk-params.ts';
import type { DeskTable } from './desk-table.ts';
import { News } from './news.ts';
import { watchSession } from './session-watch.ts';
import { toRpcError } from './to-rpc-error.ts';

/** A client of the desk. Towards it, the desk is an agent. */
export class DeskClient implements AsyncDisposable {
  readonly #table: DeskTable;
  readonly #principal: Principal;
  readonly #connection: AgentConnection;
  readonly #watches = new Map<string, AbortController>();
  #unlisten: () => void = () => {};

  /** Serves the client at the other end of a transport. */
  constructor(table: DeskTable, transport: Transport, principal: Principal) {
    this.#table = table;
    this.#principal = principal;
    this.#connection = this.#createAgent().connect(transport);
    this.#connection.signal.addEventListener('abort', () => {
      this.#unlisten();
      for (const watch of this.#watches.values()) watch.abort();
    });
  }

  /** Settles when it has gone. Never rejects. */
  get closed(): Promise<unknown> {
    return this.#connection.closed;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createAgent(): ReturnType<typeof createAgent> {
    const table = this.#table;
    return createAgent({
      info: table.options.info,
      capabilities: {
        // What an agent takes it says itself, in the events of its sessions.
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        sessionCapabilities: { resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      },
      concurrentPrompts: 'allow',
      handlers: {
        'session/new': ({ cwd, additionalDirectories = [], mcpServers }, { meta }) =>
          this.#change(async () => {
            refuseServers(mcpServers);
            const { key, ...settings } = await table.begin({
              cwd,
              additionalDirectories,
              meta: parseNewSessionMeta(meta),
            });
            return { sessionId: key, ...settings };
          }),
        'session/resume': ({ sessionId, mcpServers = [] }) =>
          this.#change(async () => {
            refuseServers(mcpServers);
            return (await table.steer(sessionId)).open();
          }),
        'session/prompt': ({ sessionId, prompt }, { signal }) =>
          this.#change(async () => {
            const session = await table.steer(sessionId);
            const { id, answered } = session.prompt(prompt);
            const onAbort = (): void => {
              // The end of a connection ends no turn.
              if (!this.#connection.signal.aborted) void this.#guard(() => session.turns.giveUp(id));
            };
            signal.addEventListener('abort', onAbort, { once: true });
            return answered;
          }),
        'session/cancel': async ({ sessionId }) => {
          await this.#change(async () => table.found(sessionId)?.cancel());
        },
        'session/set_mode': ({ sessionId, modeId }) =>
          this.#change(async () => {
            await (await table.steer(sessionId)).setMode(modeId);
            return {};
          }),
        'session/set_config_option': ({ sessionId, configId, value }) =>
          this.#change(async () => {
            if (!isValue(value)) throw invalidParams('value', 'text, true or false');
            return { configOptions: await (await table.steer(sessionId)).setOption(configId, value) };
          }),
        'session/close': ({ sessionId }) =>
          this.#change(async () => {
            await table.found(sessionId)?.close();
            return {};
          }),
        'session/delete': ({ sessionId }) =>
          this.#change(async () => {
            await table.remove(sessionId);
            return {};
          }),
      },
      extensions: {
        [deskMethods.attend]: { handle: () => this.#guard(() => this.#attend()) },
        [deskMethods.watch]: { handle: (params) => this.#guard(() => this.#watch(params)) },
        [deskMethods.unwatch]: {
          handle: (params) => {
            const { sessionId } = parseSessionParams(params);
            this.#watches.get(sessionId)?.abort();
            return {};
          },
        },
        [deskMethods.answer]: {
          handle: (params) =>
            this.#change(async () => {
              const { sessionId, requestId, answer } = parseAnswerParams(params);
              (await table.steer(sessionId)).answer(requestId, answer, this.#principal.name);
              return {};
            }),
        },
        [deskMethods.queue]: {
          handle: (params) =>
            this.#change(async () => {
              const { sessionId, change } = parseQueueParams(params);
              (await table.steer(sessionId)).changeQueue(change);
              return {};
            }),
        },
        [deskMethods.rename]: {
          handle: (params) =>
            this.#change(async () => {
              const { sessionId, title } = parseRenameParams(params);
              (await table.steer(sessionId)).rename(title);
              return {};
            }),
        },
        [deskMethods.cancel]: {
          handle: (params) =>
            this.#change(async () => {
              const { sessionId, graceMs } = parseCancelParams(params);
              await table.found(sessionId)?.cancel(graceMs === undefined ? {} : { graceMs });
              return {};
            }),
        },
        [deskMethods.restart]: {
          handle: (params) =>
            this.#change(async () => {
              await (await table.steer(parseSessionParams(params).sessionId)).restart();
              return {};
            }),
        },
      },
    });
  }

  async #attend(): Promise<AttendResult> {
    const table = this.#table;
    await table.look();
    this.#unlisten();
    const news = new News(table, (told) => this.#tell(deskMethods.news, told));
    const unlisten = table.listen({
      session: (key) => {
        news.session(key);
      },
      agents: () => {
        news.agents();
      },
      questions: (settled) => {
        news.questions(settled);
      },
      log: (sessionId, text) => {
        // One who reads too slowly misses some of it.
        if (!this.#watches.has(sessionId)) return;
        void this.#tell(deskMethods.log, { sessionId, text }).catch(() => undefined);
      },
    });
    this.#unlisten = unlisten;
    const { sessions, agents, questions, options } = table;
    return {
      sessions,
      agents,
      questions,
      workspaces: options.workspaces,
      person: this.#principal.name,
      version: options.info.version,
    };
  }

  async #watch(params: unknown): Promise<object> {
    const table = this.#table;
    const { sessionId, after = 0 } = parseWatchParams(params);
    const folder = await table.folderOf(sessionId);
    this.#watches.get(sessionId)?.abort();
    if (this.#watches.size >= table.limits.watches) {
      throw invalidRequest(
        `${deskMethods.watch}: ${String(table.limits.watches)} sessions are watched already`,
      );
    }
    const watch = new AbortController();
    this.#watches.set(sessionId, watch);
    const text = table.logOf(sessionId);
    if (text !== '') await this.#tell(deskMethods.log, { sessionId, text });
    void this.#follow(sessionId, folder, after, watch);
    return {};
  }

  async #follow(sessionId: string, folder: string, after: number, watch: AbortController): Promise<void> {
    try {
      await watchSession({
        sessionId,
        folder,
        after,
        signal: watch.signal,
        send: (note) => this.#tell(deskMethods.events, note),
      });
    } catch (error) {
      // The client is gone, or the journal is.
      if (!this.#connection.signal.aborted) this.#table.options.onFault?.(error);
    } finally {
      if (this.#watches.get(sessionId) === watch) this.#watches.delete(sessionId);
    }
  }

  async #tell(method: string, params: object): Promise<void> {
    await this.#connection.client.notifyExtension(method, params);
  }

  /** Does what only those may who may do more than look. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    if (this.#principal.scope !== 'admin') throw invalidRequest('this token may look, and change nothing');
    return this.#guard(work);
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const told = toRpcError(error);
      if (told !== undefined) throw told;
      this.#table.options.onFault?.(error);
      throw new RpcError(rpcCodes.internalError, 'it failed here');
    }
  }
}

function refuseServers(servers: readonly unknown[]): void {
  if (servers.length > 0) throw invalidRequest('MCP servers are configured here, and not brought along');
}

function isValue(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

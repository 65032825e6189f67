import {
  agentRequests,
  invalidParams,
  invalidRequest,
  methodNotFound,
  protocolVersion,
  type ClientCapabilities,
} from '@parley/acp';
import { HostError, toRpcError, type Sender } from '@parley/host';
import { attends, eventNumber, hubMethods, type HubQuestion } from '@parley/host/hub';
import {
  connect,
  isDeeper,
  RpcError,
  rpcCodes,
  type Connection,
  type RequestContext,
  type Transport,
} from '@parley/wire';
import { judgeSession, mayBeginSessions } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import type { ExtensionNotice, SessionClient } from '../hub/sessions/session-clients.ts';
import { useOf } from './acp-methods.ts';
import { Attendance } from './attendance.ts';
import { checkAccess, type HubCall, type HubRequest, type OwnerRequest } from './hub-call.ts';
import { atOwner, atReplica } from './owner/at-owner.ts';
import { parseClientName, parseSessionParams } from './params/hub-params.ts';
import { readParams } from './params/params.ts';
import { toPassed } from './pass-extension.ts';
import { fitOptions } from './plain/fit-capabilities.ts';
import { PlainSessions } from './plain/plain-sessions.ts';
import { agentRequests as agentMethods } from './requests/agent-requests.ts';
import { changesRequests } from './requests/changes-requests.ts';
import { hubRequests } from './requests/hub-requests.ts';
import { sessionRequests } from './requests/session-requests.ts';
import { worktreeRequests } from './requests/worktree-requests.ts';
import type { UnreadLimit } from './session-watch.ts';
import { SignInTerminals } from './sign-in-terminals.ts';
import { toCapabilities } from './to-capabilities.ts';

/** Nesting depth of the params of a request. */
const maxLevels = 100;

/** Who a client is, and what it may use. */
export interface AcpConnectionOptions {
  readonly principal: Principal;
  /** The agent that its address names. @default the default agent */
  readonly agent?: string;
  /** Ends the connection. @default it ends with its transport */
  readonly until?: AbortSignal;
}

/**
 * A client of the hub. Towards it, the hub is an agent, all of whose sessions are open: what needs an agent process starts one, so that
 * a client which comes back need not know what it had open.
 */
export class AcpConnection implements SessionClient {
  readonly #table: HubSessions;
  readonly #options: AcpConnectionOptions;
  readonly #connection: Connection;
  readonly #attendance: Attendance;
  readonly #plain: PlainSessions;
  readonly #terminals: SignInTerminals;
  #introduced: { readonly from: Sender; readonly capabilities: ClientCapabilities } | undefined;

  /** Serves the client at the other end of a transport. */
  constructor(table: HubSessions, transport: Transport, options: AcpConnectionOptions) {
    this.#table = table;
    this.#options = options;
    this.#connection = connect(transport, {
      onRequest: (method, params, request) => this.#answer(method, params, request),
      onNotification: (method, params) => this.#hear(method, params),
    });
    const { signal } = this.#connection;
    const notify = (method: string, params: unknown): Promise<void> =>
      this.#connection.notify(method, params);
    const unread: UnreadLimit = {
      limit: table.limits.unreadBytes,
      bytesOf: (key) => table.found(key)?.appendedBytes ?? 0,
      onExceeded: () => {
        if (signal.aborted) return;
        const message = `the client left more than ${String(table.limits.unreadBytes)} bytes unread`;
        table.options.onDropped?.(this.#from, message);
        void this.#connection.close({ code: 'stalled', message });
      },
    };
    this.#attendance = new Attendance(table, { principal: options.principal, signal, notify, unread });
    this.#plain = new PlainSessions(table, {
      mayChange: (key) => this.#mayChange(key),
      takesForm: (mode) => this.#takesForm(mode),
      capabilities: () => this.#capabilities,
      numbersEvents: () => this.#capabilities._meta?.[eventNumber] === true,
      ask: (method, params, until) => this.request(method, params, until),
      answer: async ({ key: sessionId, requestId }, answer) => {
        const call = this.#toCall(hubMethods.answer);
        try {
          await call.atOwner(hubMethods.answer, { sessionId, requestId, answer });
        } catch (error) {
          // ACP has no way to say that an answer was refused.
          if (error instanceof HostError && error.code === 'failed') table.options.onFault?.(error);
          throw error;
        }
      },
      notify,
      unread,
    });
    this.#terminals = new SignInTerminals(table, { signal, notify });
    options.until?.addEventListener('abort', () => void this.#connection.close());
    table.clients.add(this);
    signal.addEventListener('abort', () => {
      table.clients.delete(this);
      this.#plain.endAll();
    });
  }

  /** Settles when it has gone. Never rejects. */
  get closed(): Promise<unknown> {
    return this.#connection.closed;
  }

  close(): Promise<void> {
    return this.#connection.close({ code: 'end-of-input', message: 'the server is ending' });
  }

  // As the agents of sessions reach it

  mayAnswer(key: string): boolean {
    const isThere = this.#attendance.isAttending ? this.#attendance.answers(key) : this.#plain.has(key);
    return isThere && this.#mayChange(key);
  }

  shows(question: HubQuestion): boolean {
    return this.#attendance.isAttending || this.#plain.shows(question);
  }

  follows(key: string): boolean {
    return this.#plain.has(key);
  }

  serves(key: string, method: string): boolean {
    if (!this.#plain.hasBegun(key)) return false;
    const { fs, terminal } = this.#capabilities;
    switch (method) {
      case 'fs/read_text_file':
        return fs?.readTextFile === true;
      case 'fs/write_text_file':
        return fs?.writeTextFile === true;
      case 'terminal/create':
        return terminal === true;
      default:
        return false;
    }
  }

  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, params, { signal });
  }

  notify(key: string, notice: ExtensionNotice): void {
    this.#plain.notify(key, notice);
  }

  // What it asks

  async #answer(method: string, params: unknown, request: RequestContext): Promise<unknown> {
    try {
      // They are stored, passed on and redacted: all of that is recursive.
      if (isDeeper(params, maxLevels)) {
        throw invalidParams('', `params that are nested at most ${String(maxLevels)} levels deep`);
      }
      // ACP v1, Initialization: it comes first, and once.
      if ((this.#introduced !== undefined) === (method === 'initialize')) {
        throw invalidRequest(
          this.#introduced === undefined ? `${method}: initialize first` : 'initialize: it was done before',
        );
      }
      if (method === 'initialize') return await this.#introduce(params);
      const found = this.#find(method, params);
      const call = this.#toCall(method, request);
      await checkAccess(found.use, params, call);
      const result =
        found.by === 'owner' ? await call.atOwner(method, params) : await found.run(params, call);
      // A client that attends is sent what there is.
      const isPlain = sessionRequests.has(method) && !this.#attendance.isAttending;
      return isPlain ? fitOptions(result, this.#capabilities) : result;
    } catch (error) {
      const refusal = toRpcError(error);
      if (refusal !== undefined) throw this.#table.agents.withoutSecrets(refusal);
      this.#table.options.onFault?.(error);
      throw new RpcError(rpcCodes.internalError, `${method}: ${systemReason(error) ?? 'internal error'}`);
    }
  }

  #find(method: string, params: unknown): HubRequest | OwnerRequest {
    const known =
      sessionRequests.get(method) ??
      hubRequests.get(method) ??
      agentMethods.get(method) ??
      changesRequests.get(method) ??
      worktreeRequests.get(method) ??
      this.#attendanceRequest(method);
    if (known !== undefined) return known;
    if (/^(?:_parley\/|\$\/)/u.test(method)) throw methodNotFound(method);
    if (unserved.has(method)) {
      return { use: useOf(method, params), run: () => Promise.reject(methodNotFound(method)) };
    }
    return {
      use: useOf(method, params),
      run: (passed, call) => call.atOwner(method, toPassed(passed, call)),
    };
  }

  /** What belongs to this connection. */
  #attendanceRequest(method: string): HubRequest | undefined {
    const attendance = this.#attendance;
    switch (method) {
      case hubMethods.attend:
        return { use: 'connection', run: (params) => attendance.attend(params) };
      case hubMethods.look:
        return { use: 'connection', run: (params) => Promise.resolve(attendance.look(params)) };
      case hubMethods.watch:
        return { use: 'look', run: (params) => attendance.watch(params) };
      case hubMethods.unwatch:
        return { use: 'look', run: (params) => Promise.resolve(attendance.unwatch(params)) };
      case hubMethods.watchFrames:
        return { use: 'look', run: (params) => attendance.watchFrames(params) };
      case hubMethods.unwatchFrames:
        return { use: 'look', run: (params) => Promise.resolve(attendance.unwatchFrames(params)) };
      // A notification, which some clients send as a request.
      case 'session/cancel':
        return { use: 'connection', run: (params, call) => this.#cancel(params, call) };
      default:
        return undefined;
    }
  }

  #toCall(method: string, request?: RequestContext): HubCall {
    const cancelled = new AbortController();
    request?.signal.addEventListener('abort', () => {
      if (!this.#connection.signal.aborted) cancelled.abort();
    });
    const { principal, agent } = this.#options;
    const owners = { method, table: this.#table, principal, from: this.#from, signal: cancelled.signal };
    return {
      ...owners,
      atOwner: (asked, given) => atOwner(given, { ...owners, method: asked }),
      atReplica: (replica, asked, given) => atReplica(replica, given, { ...owners, method: asked }),
      afterAnswer: (run) => {
        request?.afterAnswer(run);
      },
      terminals: this.#terminals,
      ...(agent !== undefined && { agent }),
      ...(!this.#attendance.isAttending && { plain: this.#plain }),
    };
  }

  /** Has no response; events show that a turn is running. */
  async #hear(method: string, params: unknown): Promise<void> {
    if (this.#introduced === undefined) return;
    const call = this.#toCall(method);
    try {
      if (method === 'session/cancel') {
        await this.#cancel(params, call);
        return;
      }
      await checkAccess(useOf(method, params), params, call);
      await call.atOwner(method, toPassed(params, call, true));
    } catch {
      // JSON-RPC 2.0: a notification is never answered.
    }
  }

  /** Cancels the turn of a session, or the work of one sub-agent. */
  async #cancel(params: unknown, call: HubCall): Promise<object> {
    const { sessionId } = parseSessionParams(params);
    const key = this.#plain.sessionOf(sessionId);
    await checkAccess('change', key === undefined ? params : { sessionId: key }, call);
    return key === undefined
      ? call.atOwner(hubMethods.cancel, { sessionId })
      : call.atOwner(hubMethods.cancelSubagent, { sessionId: key, subagent: sessionId });
  }

  async #introduce(params: unknown): Promise<object> {
    const { clientCapabilities = {} } = readParams(agentRequests.initialize.parseParams(params));
    const client = parseClientName(params);
    const { principal, agent } = this.#options;
    this.#introduced = {
      from: { person: principal.name, ...(client !== undefined && { client }) },
      capabilities: clientCapabilities,
    };
    const { info, defaultAgent, mcpHosts = [] } = this.#table.options;
    const { agents } = this.#table;
    const name = agent ?? defaultAgent;
    // The answer is the only place where ACP says what an agent can do.
    const isRead = clientCapabilities._meta?.[attends] !== true;
    if (isRead && mayBeginSessions(principal)) await agents.firstOffer(name);
    const { capabilities, authMethods = [] } = agents.offerOf(name);
    return {
      protocolVersion,
      agentInfo: info,
      agentCapabilities: toCapabilities(capabilities, {
        bringsServers: principal.scope === 'admin' || (principal.scope === 'use' && mcpHosts.length > 0),
      }),
      authMethods,
    };
  }

  get #capabilities(): ClientCapabilities {
    return this.#introduced?.capabilities ?? {};
  }

  get #from(): Sender {
    return this.#introduced?.from ?? { person: this.#options.principal.name };
  }

  #mayChange(key: string): boolean {
    return judgeSession(this.#options.principal, this.#table.knownOwner(key), 'change') === 'allowed';
  }

  #takesForm(mode: string): boolean {
    const { elicitation } = this.#capabilities;
    if (mode === 'form') return elicitation?.form !== undefined;
    return mode === 'url' && elicitation?.url !== undefined;
  }
}

/**
 * Methods of ACP that the hub does not declare, and that are not for agents either: an agent that archives a session closes it,
 * which the hub would not know.
 */
const unserved: ReadonlySet<string> = new Set(['logout', 'session/archive', 'session/unarchive']);

/** What the system refused, such as too many open files, is for the operator to change. Paths are not for clients. */
function systemReason(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message.split(', ', 1)[0] : undefined;
}

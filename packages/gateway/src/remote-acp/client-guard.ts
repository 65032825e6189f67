import { randomUUID } from 'node:crypto';
import { invalidParams } from '@parley/acp';
import {
  rpcCodes,
  type Message,
  type RequestId,
  type RequestMessage,
  type RpcErrorObject,
} from '@parley/wire';
import { mayBeginSessions, seesAllSessions } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import { abilitiesOf, type AgentAbilities } from './agent-abilities.ts';
import type { ClientDenials } from './client-denials.ts';
import { refuseMcpServers, type McpHostRules } from './mcp-hosts.ts';
import { otherSpelling } from './other-spelling.ts';
import type { Guard, Passage } from './relay.ts';
import { cwdOf, fieldsOf, sessionIdOf } from './session-fields.ts';
import { readOnly, SessionGate } from './session-gate.ts';
import { SessionList } from './session-list.ts';
import type { SessionOwners } from './session-owners.ts';
import { isInside, openingMethods, refuseOpening } from './session-rules.ts';

/** What a remote client may do, and who wants to know of it. */
export interface ClientGuardOptions {
  /** The token of the client. */
  readonly principal: Principal;
  /** The name of the agent. */
  readonly agent: string;
  readonly owners: SessionOwners;
  /** The directories that its sessions may use, by their real paths. */
  readonly workspaces: readonly string[];
  /** Where its MCP servers may be. @default nowhere */
  readonly mcp?: McpHostRules;
  /** What is rejected in its place. @default nothing */
  readonly denials?: ClientDenials;
  /** Nothing begins any more. */
  readonly isEnding: () => boolean;
  /** Called before the client loads or resumes a session: ends what another client has left of it. */
  readonly makeWay: (sessionId: string) => Promise<void>;
  /** A prompt turn begins; what is returned hears how it stopped. */
  readonly onTurn: () => (stopReason: string) => void;
  /** A fault of ours. @default nothing is said */
  readonly onFault?: (error: unknown) => void;
}

/** Requests of one client without an answer that are watched; more are refused. */
const mostOpen = 1024;

/** Requests of one agent that its client has not answered; more are answered with an error. */
const mostAsked = 1024;

/** Stop reasons of ACP; another is not told, so that agents cannot make up any number of them. */
const stopReasons = new Set(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']);

const messageFields = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** What is done with the answer to a request. */
type Taker = (answer: Message) => Passage | Promise<Passage>;

/** Keeps one remote client to the offered directories, and to the sessions that its token may name. */
export class ClientGuard implements Guard {
  readonly #options: ClientGuardOptions;
  readonly #gate: SessionGate;
  /** By the id of the request. */
  readonly #open = new Map<RequestId, Taker>();
  /** What the agent asked of the client. An answer to anything else might come before it is known whether it is denied. */
  readonly #asked = new Set<RequestId>();
  /** What the agent was asked for by us. */
  readonly #own = new Set<RequestId>();
  readonly #turns = new Set<(stopReason: string) => void>();
  /** Turns whose answers are on their way. They are over when these have left. */
  readonly #stopped: (() => void)[] = [];
  /** The sessions that the client was told of. */
  readonly #sessions = new Set<string>();
  /** The sessions that it has opened. */
  readonly #opened = new Set<string>();
  #isOver = false;
  #agentCan: AgentAbilities = { storeSessions: false, closeSessions: false };

  constructor(options: ClientGuardOptions) {
    this.#options = options;
    this.#gate = new SessionGate(options);
  }

  /** Nothing more is said; its agent may still be ending. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the client has opened a session of that id. */
  hasOpened(sessionId: string): boolean {
    return this.#opened.has(sessionId);
  }

  async refuse(message: Message): Promise<RpcErrorObject | undefined> {
    const odd = otherSpelling(message, messageFields);
    if (odd !== undefined) {
      return { code: rpcCodes.invalidRequest, message: `JSON-RPC 2.0 has no field ${JSON.stringify(odd)}` };
    }
    if (!('method' in message)) return undefined;
    const { method, params } = message;
    // First: whether a session of another token exists must make no difference.
    const refused = this.#gate.refuse(method, params) ?? this.#refuseLook(method, params);
    if (refused !== undefined) return refused;
    const isWatched = watched.has(method);
    if (isWatched && this.#options.isEnding()) return atTheEnd;
    if (openingMethods.has(method)) {
      const { workspaces, mcp = { hosts: [], scope: 'use' } } = this.#options;
      const refusal =
        (await refuseOpening(method, params, workspaces)) ?? (await refuseMcpServers(method, params, mcp));
      if (refusal !== undefined) return refusal;
    }
    if (method === 'session/load' || method === 'session/resume') {
      await this.#options.makeWay(sessionIdOf(params));
    }
    if (method === 'session/delete' && !(await this.#isOffered(sessionIdOf(params)))) {
      return { code: rpcCodes.invalidParams, message: `${method}: this client was told of no such session` };
    }
    if (method === 'session/list' && hasCursor(params)) {
      return invalidParams('cursor', 'none: the list has one page').toObject();
    }
    if (!isWatched || !('id' in message)) return undefined;
    // An answer belongs to one request: were it two, it could be passed on as what it is not.
    if (this.#open.has(message.id)) {
      return { code: rpcCodes.invalidRequest, message: 'there is a request of that id without an answer' };
    }
    if (this.#open.size >= mostOpen) {
      return { code: rpcCodes.internalError, message: 'too many requests without an answer' };
    }
    this.#open.set(message.id, this.#takerOf(message));
    return undefined;
  }

  expects(answer: Message): boolean {
    return 'id' in answer && this.#asked.delete(answer.id);
  }

  hear(message: Message): Passage | Promise<Passage> {
    if (!('method' in message)) return this.#takeAnswer(message);
    const { method, params } = message;
    if (this.#gate.hides(method, params)) {
      // To the agent, its client does not know that session.
      return 'id' in message ? { toAgent: toError(message.id, unknownHere) } : {};
    }
    const denied = this.#options.denials?.answer(message);
    if (denied === undefined) return this.#ask(message);
    return denied.then((answer) => (answer === undefined ? this.#ask(message) : { toAgent: answer }));
  }

  passed(): void {
    for (const tell of this.#stopped.splice(0)) tell();
  }

  end(): void {
    this.#isOver = true;
    this.passed();
    for (const stop of this.#turns) stop('error');
    this.#turns.clear();
  }

  /** A client that only looks brings nothing along for the session that it reads. */
  #refuseLook(method: string, params: unknown): RpcErrorObject | undefined {
    const isOpening = openingMethods.has(method);
    if (mayBeginSessions(this.#options.principal) || !isOpening) return undefined;
    return bringsSomething(params) ? readOnly(method) : undefined;
  }

  /** Whether a session is in the offered directories, as far as it is known where it is. */
  async #isOffered(sessionId: string): Promise<boolean> {
    if (this.#sessions.has(sessionId)) return true;
    const stored = this.#gate.stored(sessionId);
    return stored !== undefined && isInside(stored.cwd, this.#options.workspaces);
  }

  #takeAnswer(answer: Message): Passage | Promise<Passage> {
    if ('method' in answer) return { toClient: answer };
    if (this.#own.delete(answer.id)) return {};
    const take = this.#open.get(answer.id);
    if (take === undefined) return { toClient: answer };
    this.#open.delete(answer.id);
    return take(answer);
  }

  #ask(message: Message): Passage {
    if (!('method' in message) || !('id' in message)) return { toClient: message };
    const { id, method } = message;
    // Whoever only looks is never asked.
    if (!mayBeginSessions(this.#options.principal)) {
      return method === 'session/request_permission'
        ? { toAgent: { jsonrpc: '2.0', id, result: { outcome: { outcome: 'cancelled' } } } }
        : { toAgent: toError(id, { code: rpcCodes.invalidRequest, message: 'this client is read-only' }) };
    }
    if (this.#asked.size >= mostAsked) {
      const error = { code: rpcCodes.internalError, message: 'too many requests without an answer' };
      return { toAgent: toError(id, error) };
    }
    this.#asked.add(id);
    return { toClient: message };
  }

  #takerOf(request: RequestMessage): Taker {
    const { method, params } = request;
    switch (method) {
      case 'initialize':
        return (answer) => {
          if ('result' in answer) this.#agentCan = abilitiesOf(answer.result);
          return { toClient: answer };
        };
      case 'session/prompt':
        return this.#takeTurn(sessionIdOf(params));
      case 'session/list':
        return this.#takeList(request);
      case 'session/new':
      case 'session/fork':
        return this.#takeBegun(params);
      case 'session/delete':
        return (answer) => this.#takeDeleted(answer, sessionIdOf(params));
      default:
        return (answer) => this.#takeOpened(answer, params);
    }
  }

  #takeTurn(sessionId: string): Taker {
    const stop = this.#options.onTurn();
    this.#turns.add(stop);
    return (answer) => {
      const stopReason = 'result' in answer ? stopReasonOf(answer.result) : 'error';
      this.#options.denials?.endTurn(sessionId);
      this.#turns.delete(stop);
      this.#stopped.push(() => {
        stop(stopReason);
      });
      return { toClient: answer };
    };
  }

  /** Of all the sessions that the agent has, those in the offered directories that the client may see. */
  #takeList(request: RequestMessage): Taker {
    const { principal, workspaces } = this.#options;
    const list = new SessionList(request, {
      isWhole: seesAllSessions(principal),
      isShown: async (entry) => {
        const sessionId = sessionIdOf(entry);
        if (this.#gate.judge(sessionId, 'look') !== 'allowed') return false;
        if (!(await isInside(cwdOf(entry), workspaces))) return false;
        this.#sessions.add(sessionId);
        return true;
      },
    });
    const take: Taker = async (answer) => {
      const passage = await list.take(answer);
      if (passage.toAgent !== undefined) this.#open.set(request.id, take);
      return passage;
    };
    return take;
  }

  /** What was begun belongs to the client's token, before the client is told of it. */
  #takeBegun(params: unknown): Taker {
    const settle = this.#gate.begin();
    return async (answer) => {
      settle();
      const sessionId = 'result' in answer ? sessionIdOf(answer.result) : '';
      if (!('id' in answer) || sessionId === '') return { toClient: answer };
      const { storeSessions } = this.#agentCan;
      try {
        const reused = await this.#gate.claim(sessionId, { cwd: cwdOf(params), isStored: storeSessions });
        if (reused !== undefined) return { toClient: toError(answer.id, reused) };
      } catch (error) {
        this.#options.onFault?.(error);
        return { toClient: toError(answer.id, notStored) };
      }
      this.#noteOpen(sessionId, params);
      return { toClient: answer };
    };
  }

  #takeOpened(answer: Message, params: unknown): Passage {
    if (!('result' in answer)) return { toClient: answer };
    const sessionId = sessionIdOf(params);
    this.#noteOpen(sessionId, params);
    // Its history was read: an agent that keeps the session open may keep its owner from opening it.
    const isLooking = !mayBeginSessions(this.#options.principal);
    if (!isLooking || !this.#agentCan.closeSessions) return { toClient: answer };
    const id = `parley/${randomUUID()}`;
    this.#own.add(id);
    return {
      toClient: answer,
      toAgent: { jsonrpc: '2.0', id, method: 'session/close', params: { sessionId } },
    };
  }

  async #takeDeleted(answer: Message, sessionId: string): Promise<Passage> {
    if (!('result' in answer)) return { toClient: answer };
    this.#sessions.delete(sessionId);
    try {
      await this.#gate.release(sessionId);
    } catch (error) {
      // The session is gone all the same.
      this.#options.onFault?.(error);
    }
    return { toClient: answer };
  }

  #noteOpen(sessionId: string, params: unknown): void {
    if (sessionId === '') return;
    this.#sessions.add(sessionId);
    this.#opened.add(sessionId);
    this.#options.denials?.open(sessionId, params);
  }
}

const watched = new Set([
  ...openingMethods,
  'initialize',
  'session/list',
  'session/prompt',
  'session/delete',
]);

const atTheEnd: RpcErrorObject = { code: rpcCodes.internalError, message: 'the server is about to end' };

const notStored: RpcErrorObject = {
  code: rpcCodes.internalError,
  message: 'the owner of the new session could not be stored; begin it again when the disk has space',
};

const unknownHere: RpcErrorObject = {
  code: rpcCodes.invalidParams,
  message: 'the client has not opened this session',
};

function toError(id: RequestId, error: RpcErrorObject): Message {
  return { jsonrpc: '2.0', id, error };
}

/** Whether an opening request has the agent connect to servers, or holds what only that agent understands. */
function bringsSomething(params: unknown): boolean {
  const { mcpServers, _meta } = fieldsOf(params);
  const brings = mcpServers !== undefined && !(Array.isArray(mcpServers) && mcpServers.length === 0);
  return brings || Object.keys(fieldsOf(_meta)).some((name) => !traceNames.has(name));
}

/** W3C trace context, as ACP's `_meta` carries it. */
const traceNames: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

function hasCursor(params: unknown): boolean {
  const { cursor } = fieldsOf(params);
  return cursor !== undefined && cursor !== null;
}

function stopReasonOf(result: unknown): string {
  const { stopReason } = fieldsOf(result);
  return typeof stopReason === 'string' && stopReasons.has(stopReason) ? stopReason : 'other';
}

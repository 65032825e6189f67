import { rpcCodes, type Message, type RequestId, type RpcErrorObject } from '@parley/wire';
import type { ClientDenials } from './client-denials.ts';
import { refuseMcpServers, type McpHostRules } from './mcp-hosts.ts';
import type { Guard } from './relay.ts';
import { isInside, openingMethods, refuseOpening } from './session-rules.ts';

/** What a remote client may do, and who wants to know of it. */
export interface ClientGuardOptions {
  /** The directories that its sessions may use, by their real paths. */
  readonly workspaces: readonly string[];
  /** Where its MCP servers may be. @default nowhere */
  readonly mcp?: McpHostRules;
  /** What is rejected in its place. @default nothing */
  readonly denials?: ClientDenials;
  /** Nothing begins any more. */
  readonly isEnding: () => boolean;
  /** A prompt turn begins; what is returned hears how it stopped. */
  readonly onTurn: () => (stopReason: string) => void;
}

/** Requests of one client without an answer that are watched; more are refused. */
const mostOpen = 1024;

/** Requests of one agent that its client has not answered; more are answered with an error. */
const mostAsked = 1024;

/** Stop reasons of ACP; another is not told, so that agents cannot make up any number of them. */
const stopReasons = new Set(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']);

/** Keeps one remote client to the offered directories, and to the sessions that are in them. */
export class ClientGuard implements Guard {
  readonly #options: ClientGuardOptions;
  /** By the id of the request: what is done with its answer. */
  readonly #open = new Map<RequestId, (answer: Message) => Message | Promise<Message>>();
  /** What the agent asked of the client. An answer to anything else might come before it is known whether it is denied. */
  readonly #asked = new Set<RequestId>();
  readonly #turns = new Set<(stopReason: string) => void>();
  /** Turns whose answers are on their way. They are over when these have left. */
  readonly #stopped: (() => void)[] = [];
  /** The sessions that the client was told of. */
  readonly #sessions = new Set<string>();

  constructor(options: ClientGuardOptions) {
    this.#options = options;
  }

  async refuse(message: Message): Promise<RpcErrorObject | undefined> {
    if (!('method' in message)) return undefined;
    const { method, params } = message;
    const isWatched = watched.has(method);
    if (isWatched && this.#options.isEnding()) return atTheEnd;
    if (openingMethods.has(method)) {
      const { workspaces, mcp = { hosts: [], scope: 'use' } } = this.#options;
      const refusal =
        (await refuseOpening(method, params, workspaces)) ?? (await refuseMcpServers(method, params, mcp));
      if (refusal !== undefined) return refusal;
    }
    if (method === 'session/delete' && !this.#sessions.has(sessionIdOf(params))) {
      return { code: rpcCodes.invalidParams, message: `${method}: this client was told of no such session` };
    }
    if (!isWatched || !('id' in message)) return undefined;
    // An answer belongs to one request: were it two, it could be passed on as what it is not.
    if (this.#open.has(message.id)) {
      return { code: rpcCodes.invalidRequest, message: 'there is a request of that id without an answer' };
    }
    if (this.#open.size >= mostOpen) {
      return { code: rpcCodes.internalError, message: 'too many requests without an answer' };
    }
    this.#open.set(message.id, this.#takerOf(method, params));
    return undefined;
  }

  expects(answer: Message): boolean {
    return 'id' in answer && this.#asked.delete(answer.id);
  }

  answer(message: Message): Message | undefined | Promise<Message | undefined> {
    const denied = this.#options.denials?.answer(message);
    return denied === undefined ? this.#ask(message) : denied.then((answer) => answer ?? this.#ask(message));
  }

  look(message: Message): Message | Promise<Message> {
    if ('method' in message) return message;
    const take = this.#open.get(message.id);
    if (take === undefined) return message;
    this.#open.delete(message.id);
    return take(message);
  }

  passed(): void {
    for (const tell of this.#stopped.splice(0)) tell();
  }

  end(): void {
    this.passed();
    for (const stop of this.#turns) stop('error');
    this.#turns.clear();
  }

  #ask(message: Message): Message | undefined {
    if (!('method' in message) || !('id' in message)) return undefined;
    const { id } = message;
    if (this.#asked.size >= mostAsked) {
      const error = { code: rpcCodes.internalError, message: 'too many requests without an answer' };
      return { jsonrpc: '2.0', id, error };
    }
    this.#asked.add(id);
    return undefined;
  }

  #takerOf(method: string, params: unknown): (answer: Message) => Message | Promise<Message> {
    switch (method) {
      case 'session/prompt':
        return this.#takeTurn(sessionIdOf(params));
      case 'session/list':
        return (answer) => this.#keepOwn(answer);
      default:
        return (answer) => {
          // The answer to `session/load` and `session/resume` need not name the session again.
          const opened = 'result' in answer ? sessionIdOf(answer.result) || sessionIdOf(params) : '';
          if (opened !== '') {
            this.#sessions.add(opened);
            this.#options.denials?.open(opened, params);
          }
          return answer;
        };
    }
  }

  #takeTurn(sessionId: string): (answer: Message) => Message {
    const stop = this.#options.onTurn();
    this.#turns.add(stop);
    return (answer) => {
      const stopReason = 'result' in answer ? stopReasonOf(answer.result) : 'error';
      this.#options.denials?.endTurn(sessionId);
      this.#turns.delete(stop);
      this.#stopped.push(() => {
        stop(stopReason);
      });
      return answer;
    };
  }

  /** Of all the sessions that the agent has, those in the offered directories. */
  async #keepOwn(answer: Message): Promise<Message> {
    if (!('result' in answer) || !hasSessions(answer.result)) return answer;
    const sessions: unknown[] = [];
    for (const session of answer.result.sessions) {
      if (!(await isInside(cwdOf(session), this.#options.workspaces))) continue;
      this.#sessions.add(sessionIdOf(session));
      sessions.push(session);
    }
    return { ...answer, result: { ...answer.result, sessions } };
  }
}

const watched = new Set([...openingMethods, 'initialize', 'session/list', 'session/prompt']);

const atTheEnd: RpcErrorObject = { code: rpcCodes.internalError, message: 'the server is about to end' };

function sessionIdOf(value: unknown): string {
  const isNamed = typeof value === 'object' && value !== null && 'sessionId' in value;
  return isNamed && typeof value.sessionId === 'string' ? value.sessionId : '';
}

function cwdOf(session: unknown): string {
  const isPlaced = typeof session === 'object' && session !== null && 'cwd' in session;
  return isPlaced && typeof session.cwd === 'string' ? session.cwd : '';
}

function stopReasonOf(result: unknown): string {
  const hasReason = typeof result === 'object' && result !== null && 'stopReason' in result;
  const reason = hasReason && typeof result.stopReason === 'string' ? result.stopReason : '';
  return stopReasons.has(reason) ? reason : 'other';
}

function hasSessions(result: unknown): result is { readonly sessions: readonly unknown[] } {
  return (
    typeof result === 'object' && result !== null && 'sessions' in result && Array.isArray(result.sessions)
  );
}

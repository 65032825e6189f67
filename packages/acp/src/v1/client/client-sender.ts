import { RpcError, type Connection } from '@parley/wire';
import { AcpError, acpCodes } from '../../acp-error.ts';
import type { AgentCapabilities } from '../../schema/v1/unstable.ts';
import type { MethodTable } from '../method.ts';
import { findFault, readResult } from '../outgoing.ts';
import { type Described, type OutgoingRequest, type Sender, toRequestOptions } from '../peer.ts';
import { inTrace, type Scope, signalIn } from '../scope.ts';
import { type SessionBook, type SessionRole, sessionIdOf } from '../session-book.ts';
import type { ClientHandshake } from './client-handshake.ts';
import type { ClientSession } from './client-session.ts';
import type { SubagentTree } from './subagent-tree.ts';

/** What a client's calls need. */
export interface ClientSenderOptions {
  readonly connection: Connection;
  readonly methods: MethodTable;
  readonly handshake: ClientHandshake;
  readonly sessions: SessionBook<ClientSession>;
  readonly subagents: SubagentTree;
}

/** What a request does to the book of sessions. */
interface Effect {
  /** The result is here, and nothing that came behind it has been looked at. */
  succeed?(result: unknown): void;
  /** There is no result. */
  fail?(error: unknown): void;
}

/** What a client sends: only what the protocol allows. */
export class ClientSender implements Sender<AgentCapabilities> {
  readonly #options: ClientSenderOptions;

  constructor(options: ClientSenderOptions) {
    this.#options = options;
  }

  get described(): Described<AgentCapabilities> {
    return this.#options.handshake.described;
  }

  get methods(): MethodTable {
    return this.#options.methods;
  }

  async request<Result>(request: OutgoingRequest<Result>): Promise<Result> {
    const { method, params, options, scope } = request;
    const role = this.#check(method, params);
    const signal = signalIn(scope, options.signal);
    if (signal === undefined) return this.#send(request, role);
    const { signal: _own, ...others } = options;
    if (role === 'prompts') return this.#prompt({ ...request, options: others }, signal);
    return this.#send({ ...request, options: { ...others, signal } }, role);
  }

  async notify(name: string, params: object, scope: Scope): Promise<void> {
    const role = this.#check(name, params);
    const sent = this.#options.connection.notify(name, inTrace(params, scope));
    if (role === 'cancels') this.#options.sessions.get(sessionIdOf(params) ?? '')?.cancel();
    await sent;
  }

  /** A signal on a prompt cancels the turn: the promise then settles with what the agent answers. */
  async #prompt<Result>(request: OutgoingRequest<Result>, signal: AbortSignal): Promise<Result> {
    const { method, params, parseResult, scope } = request;
    if (signal.aborted) return readResult(method, parseResult, { stopReason: 'cancelled' });
    const cancel = (): void => this.#cancelTurn(params, scope);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.#send(request, 'prompts');
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async #send<Result>(request: OutgoingRequest<Result>, role: SessionRole | undefined): Promise<Result> {
    const { method, params, parseResult, options, scope } = request;
    const effect = this.#begin(role, sessionIdOf(params) ?? '');
    try {
      const read = (result: unknown): Result => {
        const value = readResult(method, parseResult, result);
        effect.succeed?.(value);
        return value;
      };
      const how = toRequestOptions(options, options.signal, read);
      return await this.#options.connection.request(method, inTrace(params, scope), how);
    } catch (error) {
      effect.fail?.(error);
      throw error;
    }
  }

  #check(name: string, params: object): SessionRole | undefined {
    const { handshake, methods, sessions, subagents } = this.#options;
    const declared = handshake.declaredFor(name);
    const method = methods.get(name);
    if (method === undefined) return undefined;
    const fault = findFault(method, params, declared);
    if (fault !== undefined) throw fault;
    const role = method.rule.session;
    const sessionId = sessionIdOf(params) ?? '';
    if (role !== undefined && needsSession.has(role) && sessions.get(sessionId) === undefined) {
      throw new AcpError('unknown-session', `${name}: not sent: session ${sessionId} is not open`, {
        method: name,
      });
    }
    // The agent alone changes its sub-agents, save that the client may end the work of one that can be cancelled.
    const isAllowed = role === 'cancels' && subagents.mayCancel(sessionId);
    if (role !== undefined && subagents.has(sessionId) && !isAllowed) {
      const message = `${name}: not sent: session ${sessionId} is a sub-agent that does not allow it`;
      throw new AcpError('not-supported', message, { method: name });
    }
    return role;
  }

  #begin(role: SessionRole | undefined, sessionId: string): Effect {
    if (role === undefined) return {};
    const { sessions } = this.#options;
    switch (role) {
      case 'creates': {
        const settle = sessions.expect();
        return {
          succeed: (result) => {
            sessions.open(sessionIdOf(result) ?? '');
            settle();
          },
          fail: settle,
        };
      }
      case 'loads':
      case 'resumes':
        return this.#beginLoad(sessionId);
      case 'uses':
      case 'cancels':
        return {};
      case 'prompts': {
        const endTurn = sessions.open(sessionId).beginTurn();
        return { succeed: endTurn, fail: endTurn };
      }
      case 'closes':
      case 'drops': {
        sessions.get(sessionId)?.cancel();
        const drop = (): void => this.#drop(sessionId);
        return { succeed: drop, fail: (error) => isUnknownSession(error) && drop() };
      }
    }
  }

  /** The session is open from here on: while it loads, the agent may already ask for files. */
  #beginLoad(sessionId: string): Effect {
    const { sessions, subagents } = this.#options;
    const wasOpen = sessions.get(sessionId) !== undefined;
    subagents.beginHistory(sessionId);
    const endLoad = sessions.open(sessionId).beginLoad();
    return {
      succeed: endLoad,
      fail: () => {
        endLoad();
        if (!wasOpen) this.#drop(sessionId);
      },
    };
  }

  /** The work of children ends with their session's. */
  #drop(sessionId: string): void {
    const { sessions, subagents } = this.#options;
    for (const child of subagents.drop(sessionId)) {
      sessions.get(child)?.cancel();
      sessions.drop(child);
    }
    sessions.drop(sessionId);
  }

  #cancelTurn(params: object, scope: Scope): void {
    const sessionId = sessionIdOf(params);
    this.notify('session/cancel', { sessionId }, scope).catch(() => {
      // The connection has closed, which ends the turn: the prompt reports it.
    });
  }
}

const needsSession: ReadonlySet<SessionRole> = new Set(['uses', 'prompts', 'cancels', 'closes']);

function isUnknownSession(error: unknown): boolean {
  return error instanceof RpcError && error.code === acpCodes.resourceNotFound;
}

import type { RequestContext as WireRequest } from '@parley/wire';
import { AcpError } from '../../acp-error.ts';
import { serveExtension } from '../../extension.ts';
import { invalidRequest, unknownSession } from '../../refusal.ts';
import type { ClientCapabilities } from '../../schema/v1/unstable.ts';
import { CallContext, type CallOrigin } from '../call-context.ts';
import { acceptParams, acceptResult, findHandler } from '../incoming.ts';
import type { AnyHandler } from '../maps.ts';
import type { Method } from '../method.ts';
import type { Declared } from '../rules/gate.ts';
import { type SessionBook, sessionIdOf } from '../session-book.ts';
import { type AgentContextOf, toPromptContext } from './agent-context.ts';
import type { AgentDefinition } from './agent-definition.ts';
import type { AgentSender, OutgoingUpdate, UpdateWindow } from './agent-sender.ts';
import type { ServedSession } from './served-session.ts';

/** What an agent needs to answer requests. */
export interface AgentRequestsOptions<ClientPeer> {
  readonly definition: AgentDefinition<ClientPeer>;
  readonly sessions: SessionBook<ServedSession>;
  readonly sender: AgentSender;
}

/** A request whose params are good, on its way to its handler. */
interface Job {
  readonly method: Method;
  readonly handler: AnyHandler;
  readonly params: unknown;
  readonly raw: unknown;
  readonly request: WireRequest;
  readonly declared: Declared;
}

/** Answers the requests of a client that has initialized, as far as the protocol allows each. */
export class AgentRequests<ClientPeer> {
  readonly #options: AgentRequestsOptions<ClientPeer>;

  constructor(options: AgentRequestsOptions<ClientPeer>) {
    this.#options = options;
  }

  /** @throws {RpcError} The request is refused. */
  serve(name: string, raw: unknown, request: WireRequest, declared: Declared): unknown {
    const { methods, handlers, extensions } = this.#options.definition;
    const method = methods.get(name);
    if (method === undefined) {
      const createContext = (): unknown => new CallContext(this.#options, raw, request, request);
      return serveExtension(extensions, name, raw, createContext);
    }
    const handler = findHandler(method, handlers, declared);
    const params = acceptParams(method, raw, declared);
    return this.#carryOut({ method, handler, params, raw, request, declared }, sessionIdOf(params) ?? '');
  }

  async #carryOut(job: Job, sessionId: string): Promise<object> {
    const role = job.method.rule.session;
    if (role === undefined) return this.#run(job);
    switch (role) {
      case 'creates':
        return this.#create(job);
      case 'loads':
      case 'resumes':
        return this.#open(job, sessionId, role);
      case 'prompts':
        return this.#prompt(job, sessionId, this.#usableSession(sessionId));
      case 'uses':
      case 'cancels':
        this.#usableSession(sessionId);
        return this.#run(job);
      case 'closes':
        return this.#close(job, sessionId, this.#usableSession(sessionId));
      case 'drops':
        return this.#drop(job, sessionId, this.#options.sessions.get(sessionId));
    }
  }

  async #create(job: Job): Promise<object> {
    const { sessions } = this.#options;
    const result = await this.#run(job);
    const sessionId = sessionIdOf(result) ?? '';
    if (sessions.get(sessionId) !== undefined) {
      // ACP v1, Session Setup: the id is unique.
      const message = `${job.method.name}: the handler's result was not sent: session ${sessionId} is open already`;
      throw new AcpError('invalid-result', message, { method: job.method.name, path: 'sessionId' });
    }
    sessions.open(sessionId).admit();
    return result;
  }

  async #open(job: Job, sessionId: string, role: 'loads' | 'resumes'): Promise<object> {
    const { sessions } = this.#options;
    const wasOpen = sessions.get(sessionId) !== undefined;
    const session = sessions.open(sessionId);
    const end = role === 'loads' ? session.beginReplay() : session.beginResume();
    const window = { takesUpdates: role === 'loads' };
    try {
      const result = await this.#run(job, this.#toPromptContext(this.#createCall(job), sessionId, window));
      session.admit();
      return result;
    } catch (error) {
      if (!wasOpen) sessions.drop(sessionId);
      throw error;
    } finally {
      window.takesUpdates = false;
      end();
    }
  }

  /** ACP v1, Prompt Turn: a cancelled prompt is answered `cancelled`, regardless of its handler's outcome. */
  async #prompt(job: Job, sessionId: string, session: ServedSession): Promise<object> {
    const { request } = job;
    if (session.isBusy && this.#options.definition.concurrentPrompts === 'refuse') {
      throw invalidRequest(`session/prompt: a turn is running in session ${sessionId}`, { sessionId });
    }
    const turn = session.beginTurn();
    const cancel = (): void => turn.cancel();
    request.signal.addEventListener('abort', cancel, { once: true });
    if (request.signal.aborted) cancel();
    try {
      const call = this.#createCall(job, turn);
      const result = await this.#run(job, this.#toPromptContext(call, sessionId, turn));
      return turn.state === 'cancelled' ? { ...result, stopReason: 'cancelled' } : result;
    } catch (error) {
      if (turn.state === 'cancelled') return { stopReason: 'cancelled' };
      throw error;
    } finally {
      session.endTurn(turn);
    }
  }

  /** ACP v1, Subagents: a client may cancel one, and nothing else. */
  async #drop(job: Job, sessionId: string, session: ServedSession | undefined): Promise<object> {
    if (session?.isSubagent === true) throw unknownSession(sessionId);
    return this.#close(job, sessionId, session);
  }

  async #close(job: Job, sessionId: string, session: ServedSession | undefined): Promise<object> {
    await session?.beginClose();
    try {
      const result = await this.#run(job);
      this.#forget(sessionId);
      return result;
    } catch (error) {
      session?.abandonClose();
      throw error;
    }
  }

  /** The session is not open any more, and neither are its sub-agents. */
  #forget(sessionId: string): void {
    const { sessions } = this.#options;
    const subagents = sessions.get(sessionId)?.subagents ?? [];
    sessions.drop(sessionId);
    for (const subagent of subagents) this.#forget(subagent);
  }

  async #run(job: Job, context: AgentContextOf<ClientPeer> = this.#createCall(job)): Promise<object> {
    const { method, handler, params, declared } = job;
    return acceptResult(method, await handler(params, context), declared);
  }

  #createCall(
    { raw, request }: Job,
    origin: CallOrigin = request,
  ): CallContext<ClientPeer, ClientCapabilities> {
    return new CallContext(this.#options, raw, origin, request);
  }

  #usableSession(sessionId: string): ServedSession {
    const session = this.#options.sessions.get(sessionId);
    if (session?.isUsable !== true) throw unknownSession(sessionId);
    return session;
  }

  #toPromptContext(
    call: CallContext<ClientPeer, ClientCapabilities>,
    sessionId: string,
    window: UpdateWindow,
  ): AgentContextOf<ClientPeer> {
    const { sender } = this.#options;
    return toPromptContext(call, sessionId, (update: OutgoingUpdate['update']) =>
      sender.update({ sessionId, update }, window, call.scope),
    );
  }
}

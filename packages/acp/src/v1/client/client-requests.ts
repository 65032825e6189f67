import type { RequestContext as WireRequest } from '@parley/wire';
import { serveExtension } from '../../extension.ts';
import { unknownSession } from '../../refusal.ts';
import { Ask } from '../ask.ts';
import type { CreateCall } from '../incoming-call.ts';
import { acceptParams, acceptResult, findHandler } from '../incoming.ts';
import type { Method } from '../method.ts';
import type { Declared } from '../rules/gate.ts';
import { type SessionBook, sessionIdOf } from '../session-book.ts';
import { toClientContext } from './client-context.ts';
import type { ClientDefinition } from './client-definition.ts';
import type { ClientSession } from './client-session.ts';

/** What a client needs to answer requests. */
export interface ClientRequestsOptions<AgentPeer> {
  readonly definition: ClientDefinition<AgentPeer>;
  readonly sessions: SessionBook<ClientSession>;
  readonly createCall: CreateCall<AgentPeer>;
}

/** Answers the requests of an agent, as far as the protocol allows each. */
export class ClientRequests<AgentPeer> {
  readonly #options: ClientRequestsOptions<AgentPeer>;

  constructor(options: ClientRequestsOptions<AgentPeer>) {
    this.#options = options;
  }

  /** @throws {RpcError} The request is refused. */
  serve(name: string, raw: unknown, request: WireRequest, declared: Declared): unknown {
    const { definition, createCall } = this.#options;
    const { methods, handlers, extensions, otherExtensions } = definition;
    const method = methods.get(name);
    if (method === undefined) {
      const createContext = (): unknown => toClientContext(createCall(raw, request, request));
      return serveExtension(extensions, name, raw, createContext, otherExtensions);
    }
    const handler = findHandler(method, handlers, declared);
    const params = acceptParams(method, raw, declared);
    const session = this.#sessionOf(method, params);
    const run = async (origin: { readonly signal: AbortSignal }): Promise<object> => {
      const context = toClientContext(createCall(raw, origin, request));
      return acceptResult(method, await handler(params, context), declared);
    };
    const { cancelled } = method.rule;
    return cancelled === undefined ? run(request) : ask(cancelled, session, request, run);
  }

  /** An elicitation may belong to a request instead of a session; everything else has to name one that is open. */
  #sessionOf({ rule }: Method, params: unknown): ClientSession | undefined {
    const sessionId = sessionIdOf(params);
    if (rule.session === undefined || sessionId === undefined) return undefined;
    const session = this.#options.sessions.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }
}

/**
 * Puts a question to the user. It is withdrawn when its turn is cancelled, or its request. In a turn that was cancelled
 * already it is withdrawn from the start: it is answered at once, and its handler only learns that it was asked.
 */
async function ask(
  withdrawn: unknown,
  session: ClientSession | undefined,
  request: WireRequest,
  run: (origin: { readonly signal: AbortSignal }) => Promise<object>,
): Promise<unknown> {
  const question = new Ask(withdrawn);
  const withdraw = (): void => question.withdraw();
  const forget = session?.addAsk(question);
  request.signal.addEventListener('abort', withdraw, { once: true });
  if (request.signal.aborted || session?.isCancelling === true) withdraw();
  question.put(run(question));
  try {
    return await question.answer;
  } finally {
    forget?.();
  }
}

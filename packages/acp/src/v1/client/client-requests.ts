import type { RequestContext as WireRequest } from '@parley/wire';
import { serveExtension } from '../../extension.ts';
import { unknownSession } from '../../refusal.ts';
import { Ask } from '../ask.ts';
import { CallContext, type CallOrigin } from '../call-context.ts';
import { acceptAnswer, acceptParams, findHandler } from '../incoming.ts';
import type { Method } from '../method.ts';
import type { Declared } from '../rules/gate.ts';
import { type SessionBook, sessionIdOf } from '../session-book.ts';
import type { ClientDefinition } from './client-definition.ts';
import type { ClientSender } from './client-sender.ts';
import type { ClientSession } from './client-session.ts';

/** What a client needs to answer requests. */
export interface ClientRequestsOptions<AgentPeer> {
  readonly definition: ClientDefinition<AgentPeer>;
  readonly sessions: SessionBook<ClientSession>;
  readonly sender: ClientSender;
}

/** Answers the requests of an agent, as far as the protocol allows each. */
export class ClientRequests<AgentPeer> {
  readonly #options: ClientRequestsOptions<AgentPeer>;

  constructor(options: ClientRequestsOptions<AgentPeer>) {
    this.#options = options;
  }

  /** @throws {RpcError} The request is refused. */
  serve(name: string, raw: unknown, request: WireRequest, declared: Declared): unknown {
    const { methods, handlers, extensions, otherExtensions } = this.#options.definition;
    const method = methods.get(name);
    if (method === undefined) {
      const createContext = (): unknown => new CallContext(this.#options, raw, request, request);
      return serveExtension(extensions, name, raw, createContext, otherExtensions);
    }
    const handler = findHandler(method, handlers, declared);
    const params = acceptParams(method, raw, declared);
    const session = this.#sessionOf(method, params);
    const { cancelled } = method.rule;
    if (cancelled === undefined) {
      const result = handler(params, new CallContext(this.#options, raw, request, request));
      return acceptAnswer(method, result, declared);
    }
    return ask(cancelled, session, request, async (origin) =>
      acceptAnswer(method, handler(params, new CallContext(this.#options, raw, origin, request)), declared),
    );
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
  run: (origin: CallOrigin) => Promise<object>,
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

import type { RequestId } from '@parley/wire';
import type { Meta } from '../meta.ts';
import type { NotificationContext, RequestContext } from './context.ts';
import type { IncomingCall } from './incoming-call.ts';

/** What an agent's handler of a notification, or of an extension, knows beside the params. */
export interface AgentNotificationContextOf<ClientPeer> extends NotificationContext {
  /** The client, called on behalf of what is being handled. */
  readonly client: ClientPeer;
}

/** What an agent's request handler knows beside the params. */
export interface AgentContextOf<ClientPeer> extends RequestContext, AgentNotificationContextOf<ClientPeer> {}

/** What the handlers of `session/prompt` and `session/load` know beside the params. */
export interface PromptContextOf<ClientPeer, Update> extends AgentContextOf<ClientPeer> {
  readonly sessionId: string;
  /**
   * Tells the client what happens in the session. Settles at once while there is room.
   *
   * @throws {AcpError} `turn-ended`: the request was answered, and the update is one of a turn.
   */
  update(update: Update): Promise<void>;
}

/** A call as its handler sees it. */
export function toAgentContext<ClientPeer>(call: IncomingCall<ClientPeer>): AgentContextOf<ClientPeer> {
  return new CallContext(call);
}

/** A call with a session to send updates in, as its handler sees it. */
export function toPromptContext<ClientPeer, Update>(
  call: IncomingCall<ClientPeer>,
  sessionId: string,
  update: (update: Update) => Promise<void>,
): PromptContextOf<ClientPeer, Update> {
  return Object.assign(new CallContext(call), { sessionId, update });
}

/** One shape for every call: a literal with getters would be a new one each time. */
class CallContext<ClientPeer> implements AgentContextOf<ClientPeer> {
  readonly #call: IncomingCall<ClientPeer>;

  constructor(call: IncomingCall<ClientPeer>) {
    this.#call = call;
  }

  get requestId(): RequestId {
    return this.#call.requestId;
  }

  get raw(): unknown {
    return this.#call.raw;
  }

  get meta(): Meta {
    return this.#call.meta;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get client(): ClientPeer {
    return this.#call.peer;
  }
}

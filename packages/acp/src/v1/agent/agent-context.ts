import type { ClientCapabilities } from '../../schema/v1/unstable.ts';
import type { CallContext } from '../call-context.ts';
import type { NotificationContext, RequestContext } from '../context.ts';

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
   * Sends the client an update of the session. Settles at once while there is room.
   *
   * @throws {AcpError} `turn-ended`: the request was answered, and the update is one of a turn.
   */
  update(update: Update): Promise<void>;
}

/** A call with a session to send updates in, as its handler sees it. */
export function toPromptContext<ClientPeer, Update>(
  call: CallContext<ClientPeer, ClientCapabilities>,
  sessionId: string,
  update: (update: Update) => Promise<void>,
): PromptContextOf<ClientPeer, Update> {
  return Object.assign(call, { sessionId, update });
}

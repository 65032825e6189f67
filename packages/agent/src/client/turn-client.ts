import type { SessionUpdate } from '@parley/acp';
import type { ClientPeer, PromptContext } from '@parley/acp/unstable';
import type { ConversationRecorder } from '../conversation/record/conversation-recorder.ts';
import type { TurnClient } from '../turn/turn.ts';
import { askUser } from './ask-user.ts';
import { sendNotice } from './send-notice.ts';
import type { ShownUpdates } from './shown-update.ts';

/** The way to the client for one turn. */
export interface TurnChannel {
  /** The session that requests name. */
  readonly sessionId: string;
  readonly client: ClientPeer;
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
  readonly meta: PromptContext['meta'];
  /** Sends an update in the form that the client supports. */
  send(update: SessionUpdate): Promise<void>;
}

/** The way to the client for the turn of a prompt. */
export function toPromptChannel(context: PromptContext, shown: ShownUpdates): TurnChannel {
  const { sessionId, client, signal, meta } = context;
  const send = async (update: SessionUpdate): Promise<void> => {
    const it = shown.of(update);
    if (it !== undefined) await context.update(it.update);
  };
  return { sessionId, client, signal, meta, send };
}

/** The client, as a turn sees it. What it is shown is recorded. */
export function toTurnClient(channel: TurnChannel, recorder: ConversationRecorder): TurnClient {
  const { sessionId, client, signal, meta, send } = channel;
  const trace = traceOf(meta);
  return {
    signal,
    ...(trace !== undefined && { trace }),
    update: (update, kept = update) => {
      recorder.update(kept);
      return send(update);
    },
    notify: (messageId, { title, description }) =>
      sendNotice({ client, update: send }, messageId, { severity: 'warning', title, description }),
    requestPermission: async (toolCall, options) => {
      const params = { sessionId, toolCall, options };
      const { outcome } = await client.request('session/request_permission', params, { signal });
      return outcome;
    },
    askUser: (toolCallId, question) => askUser(client, { sessionId, toolCallId, question }, signal),
  };
}

/** ACP v1, Extensibility: these keys of `_meta` are those of W3C Trace Context and Baggage. */
function traceOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const trace = Object.entries(meta ?? {}).filter(([key]) => traceKeys.has(key));
  return trace.length === 0 ? undefined : Object.fromEntries(trace);
}

const traceKeys: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

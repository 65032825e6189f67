import type { PromptContext } from '@parley/acp/unstable';
import type { SessionRecorder } from '../session/record/session-recorder.ts';
import type { TurnClient } from '../turn/turn.ts';
import { askUser } from './ask-user.ts';
import { sendNotice } from './send-notice.ts';
import { toShownUpdate } from './shown-update.ts';

/** The client of one prompt, as its turn sees it. What it is shown is recorded. */
export function toTurnClient(context: PromptContext, recorder: SessionRecorder): TurnClient {
  const { client, signal, sessionId } = context;
  const trace = traceOf(context.meta);
  return {
    signal,
    ...(trace !== undefined && { trace }),
    update: (update, kept = update) => {
      recorder.update(kept);
      const shown = toShownUpdate(update, client.capabilities);
      return shown === undefined ? Promise.resolve() : context.update(shown);
    },
    notify: (messageId, { title, description }) =>
      sendNotice(context, messageId, { severity: 'warning', title, description }),
    requestPermission: async (toolCall, options) => {
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall,
        options,
      });
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

import type { Redaction } from '@parley/host';
import { isMessage, type Message, type Transport } from '@parley/wire';

/**
 * An agent whose secrets do not reach its remote client: what it tells, asks and answers is redacted, message by message. Files
 * that it writes and commands that it starts with its client are what they are: with another content they would do something
 * else than was meant.
 */
export function redactedTransport(agent: Transport, redaction: Redaction): Transport {
  if (!redaction.isNeeded) return agent;
  return {
    start: ({ receive, close }) => {
      agent.start({
        receive: (batch, bytes) =>
          receive(
            batch.map((value) => (isMessage(value) ? redactMessage(value, redaction) : value)),
            bytes,
          ),
        close,
      });
    },
    send: (batch) => agent.send(batch),
    close: (reason) => agent.close(reason),
  };
}

function redactMessage(message: Message, redaction: Redaction): Message {
  if ('method' in message) {
    const isShown = !('id' in message) || shownRequests.has(message.method);
    return isShown && 'params' in message
      ? { ...message, params: redactFields(message.params, redaction) }
      : message;
  }
  if ('result' in message) return { ...message, result: redactFields(message.result, redaction) };
  const { code, message: text, data } = message.error;
  return {
    ...message,
    error: {
      code,
      message: redaction.text(text),
      ...(data !== undefined && { data: redaction.value(data) }),
    },
  };
}

/** Requests whose parameters a user reads. */
const shownRequests: ReadonlySet<string> = new Set(['session/request_permission', 'elicitation/create']);

/** Both sides know the session by its id. */
function redactFields(value: unknown, redaction: Redaction): unknown {
  const redacted = redaction.value(value);
  const isOfSession = typeof value === 'object' && value !== null && 'sessionId' in value;
  return isOfSession && typeof redacted === 'object' ? { ...redacted, sessionId: value.sessionId } : redacted;
}

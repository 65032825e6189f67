import { randomUUID } from 'node:crypto';
import { isJsonObject, valueAt, type Message, type RequestMessage } from '@parley/wire';
import { eventNumber } from '../hub/hub-methods.ts';
import type { ProxiedSessions } from './proxied-sessions.ts';

/** Adds to a client's message what a hub needs to send each event exactly once after a reconnect. */
export function toHub(message: Message, sessions: ProxiedSessions): Message {
  if (!('method' in message) || !('id' in message)) return message;
  switch (message.method) {
    case 'initialize':
      return withEventNumbers(message);
    case 'session/prompt':
      return withPromptId(message, sessions);
    default:
      return message;
  }
}

function withEventNumbers(message: RequestMessage): Message {
  const params = toFields(message.params);
  const capabilities = toFields(params['clientCapabilities']);
  const clientCapabilities = withMeta(capabilities, { [eventNumber]: true });
  return { ...message, params: { ...params, clientCapabilities } };
}

function withPromptId(message: RequestMessage, sessions: ProxiedSessions): Message {
  const sessionId = valueAt(message.params, 'sessionId');
  const named = valueAt(message.params, '_meta', 'parley/promptId');
  const promptId = typeof named === 'string' ? named : randomUUID();
  if (typeof sessionId === 'string') sessions.prompt(sessionId, promptId);
  return { ...message, params: withMeta(toFields(message.params), { 'parley/promptId': promptId }) };
}

function withMeta(fields: Fields, added: Fields): Fields {
  return { ...fields, _meta: { ...toFields(fields['_meta']), ...added } };
}

type Fields = Readonly<Record<string, unknown>>;

function toFields(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

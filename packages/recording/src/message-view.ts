import { isJsonObject, valueAt } from '@parley/wire';

/** The parts of a recorded message that determine its position in the conversation. */
export type MessageView =
  | {
      readonly kind: 'request';
      readonly id: unknown;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: unknown; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly raw: unknown };

/** Classifies a message by its members, without validating it: a recording may contain invalid messages. */
export function viewMessage(message: unknown): MessageView {
  if (!isJsonObject(message)) return { kind: 'unknown', raw: message };
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') {
    return id === undefined
      ? { kind: 'notification', method, params }
      : { kind: 'request', id, method, params };
  }
  if (id === undefined) return { kind: 'unknown', raw: message };
  if (error !== undefined) return { kind: 'error', id, error };
  return result === undefined ? { kind: 'unknown', raw: message } : { kind: 'result', id, result };
}

/** The session id of params or a result. */
export function sessionOf(value: unknown): string | undefined {
  const id = valueAt(value, 'sessionId');
  return typeof id === 'string' ? id : undefined;
}

/** A map key for an id: 1 and "1" are different. */
export function idKey(id: unknown): string {
  return JSON.stringify({ id });
}

import { isJsonObject, valueAt } from '@parley/wire';

/** A recorded message, seen as far as its place in the conversation needs it. */
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

/** Sorts a message by its members. It is not judged: a recording also holds what was wrong. */
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

/** The session that params or a result name. */
export function sessionOf(value: unknown): string | undefined {
  const id = valueAt(value, 'sessionId');
  return typeof id === 'string' ? id : undefined;
}

/** An id as a key of a map: 1 and "1" are two. */
export function idKey(id: unknown): string {
  return JSON.stringify({ id });
}

import type { Message } from '../message.ts';
import { WireError } from '../wire-error.ts';

/** A message as it is written, or why it cannot be. */
export function toJson(message: Message, method: string): string | WireError {
  try {
    return JSON.stringify(message);
  } catch (error) {
    return notSerializable(method, error);
  }
}

/** Writes notifications. Streams repeat one method, so what stands before the params is made once for each run. */
export class NotificationText {
  #method: string | undefined;
  #head = '';

  toText(method: string, params: unknown): string | WireError {
    if (method !== this.#method) {
      this.#method = method;
      this.#head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
    }
    if (params === undefined) return `${this.#head}}`;
    // A function or a symbol is no JSON, and JSON.stringify says so without throwing.
    if (typeof params === 'function' || typeof params === 'symbol') return notSerializable(method, undefined);
    try {
      return `${this.#head},"params":${JSON.stringify(params)}}`;
    } catch (error) {
      return notSerializable(method, error);
    }
  }
}

function notSerializable(method: string, cause: unknown): WireError {
  return new WireError('not-serializable', `${method}: JSON cannot hold it`, { method, cause });
}

import type { RequestId } from '../message.ts';
import { WireError } from '../wire-error.ts';
import { RepetitionWriter, toJson } from './repetition-writer.ts';

/**
 * Writes calls as `JSON.stringify` does. Most calls of a connection repeat one method, so what stands before the params is made
 * once for each run.
 */
export class CallText {
  #method: string | undefined;
  #notification = '';
  #request = '';
  /** Of notifications: of requests, few are alike, and nothing is gained. */
  readonly #params = new RepetitionWriter();

  notification(method: string, params: unknown): string | WireError {
    this.#setMethod(method);
    return withParams(this.#notification, method, params, this.#params);
  }

  request(id: number, method: string, params: unknown): string | WireError {
    this.#setMethod(method);
    return withParams(`{"jsonrpc":"2.0","id":${id}${this.#request}`, method, params);
  }

  #setMethod(method: string): void {
    if (method === this.#method) return;
    this.#method = method;
    this.#request = `,"method":${JSON.stringify(method)}`;
    this.#notification = `{"jsonrpc":"2.0"${this.#request}`;
  }
}

/**
 * Writes a response with a result.
 *
 * @throws The result is no JSON.
 */
export function toResultText(id: RequestId, result: unknown): string {
  const idText = typeof id === 'number' ? id : JSON.stringify(id);
  return `{"jsonrpc":"2.0","id":${idText},"result":${toJson(result)}}`;
}

function withParams(
  head: string,
  method: string,
  params: unknown,
  writer?: RepetitionWriter,
): string | WireError {
  if (params === undefined) return `${head}}`;
  try {
    const json = writer === undefined ? toJson(params) : writer.write(params);
    return `${head},"params":${json}}`;
  } catch (error) {
    return new WireError('not-serializable', `${method}: JSON cannot hold it`, { method, cause: error });
  }
}

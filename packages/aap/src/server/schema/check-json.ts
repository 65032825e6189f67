import { isDeeper } from '@parley/wire';
import { AapServerError } from '../server-error.ts';

/**
 * How many characters something of an agent's takes as JSON.
 *
 * @param what How a message names it.
 * @throws {AapServerError} `not-json`: it could neither be kept nor sent.
 */
export function checkJson(what: string, value: unknown, levels: number): number {
  let text: string | undefined;
  let cause: unknown;
  try {
    if (!isDeeper(value, levels)) text = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text.length;
  const message = `${what}: it cannot be written as JSON, or not with ${String(levels)} levels`;
  throw new AapServerError('not-json', message, { cause });
}

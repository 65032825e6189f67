import type { Invalid } from '@parley/wire';
import type { AapTypes } from '../aap-types.ts';
import type { ReceivedTypes } from '../received.ts';
import { definitions } from './definitions.ts';
import { read } from './read.ts';

/** Reads what must be exactly what the protocol says, such as a request to a server. Unknown fields are kept. */
export function parseStrict<Name extends keyof AapTypes>(
  name: Name,
  value: unknown,
): AapTypes[Name] | Invalid {
  return read(definitions[name], value, 'strict') as AapTypes[Name] | Invalid;
}

/**
 * Reads what a server sends, which may be newer than we are: an event, role, block or option of an unknown kind becomes
 * `unknown` with its raw value, an unknown word stays, and `null` counts as absent. Unknown fields are kept.
 */
export function parseTolerant<Name extends keyof ReceivedTypes>(
  name: Name,
  value: unknown,
): ReceivedTypes[Name] | Invalid {
  return read(definitions[name], value, 'tolerant') as ReceivedTypes[Name] | Invalid;
}

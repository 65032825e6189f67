import type { Invalid } from '@parley/wire';
import type { AapTypes } from '../aap-types.ts';
import type { ReceivedTypes } from '../received.ts';
import { definitions } from './definitions.ts';
import { read } from './read.ts';

/**
 * Parses a value that must match the protocol exactly, such as a request to a server. Unknown fields are preserved.
 */
export function parseStrict<Name extends keyof AapTypes>(
  name: Name,
  value: unknown,
): AapTypes[Name] | Invalid {
  return read(definitions[name], value, 'strict') as AapTypes[Name] | Invalid;
}

/**
 * Parses a value from a server, which may use a newer protocol: an event, role, block or option of an unknown kind
 * becomes `unknown` with its raw value, unknown enum values are preserved, and `null` is treated as absent. Unknown
 * fields are preserved.
 */
export function parseTolerant<Name extends keyof ReceivedTypes>(
  name: Name,
  value: unknown,
): ReceivedTypes[Name] | Invalid {
  return read(definitions[name], value, 'tolerant') as ReceivedTypes[Name] | Invalid;
}

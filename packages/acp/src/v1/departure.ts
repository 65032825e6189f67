import { Invalid } from '@parley/wire';
import { isObject } from '../schema/value.ts';
import type { Reader } from './method.ts';

/**
 * Where a value that we are about to send departs from the schema. Readers are tolerant: what they had to change
 * (a wrong optional field, a skipped item, an unknown variant) a peer may be forgiven, but we do not send it.
 * A `null` that they read as absent is fine.
 */
export function findDeparture(value: unknown, read: Reader<unknown>): Invalid | undefined {
  const parsed = read(value);
  if (parsed === value) return undefined;
  return parsed instanceof Invalid ? parsed : compare(value, parsed);
}

function compare(value: unknown, parsed: unknown): Invalid | undefined {
  if (value === parsed) return undefined;
  if (Array.isArray(value) && Array.isArray(parsed)) return compareLists(value, parsed);
  if (!isObject(value) || !isObject(parsed)) return notAllowed;
  if (parsed['raw'] === value) {
    const [tag = ''] = Object.entries(parsed).find(([, member]) => member === 'unknown') ?? [];
    return new Invalid(tag, 'a variant this version knows');
  }
  if (Object.keys(parsed).some((key) => !(key in value))) return notAllowed;
  for (const [key, member] of Object.entries(value)) {
    const kept = parsed[key];
    if (kept === undefined && (member === null || member === undefined)) continue;
    const departure = compare(member, kept);
    if (departure !== undefined) return departure.within(key);
  }
  return undefined;
}

/** Items that were left out are missing from what was read; the others stand there in the same order. */
function compareLists(value: readonly unknown[], parsed: readonly unknown[]): Invalid | undefined {
  for (const [index, item] of value.entries()) {
    const departure = compare(item, parsed[index]);
    if (departure === undefined) continue;
    const wasLeftOut = parsed.length < value.length;
    return (wasLeftOut ? notAllowed : departure).within(`[${index}]`);
  }
  return undefined;
}

const notAllowed = new Invalid('', 'what the schema allows');

import { Invalid } from '@parley/wire';
import { isObject } from './value.ts';

/** Reads one element of a collection. */
export type ParseItem<T> = (item: unknown) => T | Invalid;

/** Reads a string. */
export function parseString(value: unknown): string | Invalid {
  return typeof value === 'string' ? value : new Invalid('', 'a string');
}

/** Reads a list; one invalid item makes all of it invalid. The same list, when no item had to change. */
export function parseList<T>(value: unknown, parseItem: ParseItem<T>): readonly T[] | Invalid {
  if (!Array.isArray(value)) return new Invalid('', 'a list');
  const items: readonly unknown[] = value;
  let changed: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const parsed = parseItem(item);
    if (parsed === item) continue;
    if (parsed instanceof Invalid) return parsed.within(`[${at}]`);
    changed ??= items.slice();
    changed[at] = parsed;
  }
  return (changed ?? items) as readonly T[];
}

/** Reads a list and leaves invalid items out. The same list, when no item had to change. */
export function parseListLeniently<T>(value: unknown, parseItem: ParseItem<T>): readonly T[] | Invalid {
  if (!Array.isArray(value)) return new Invalid('', 'a list');
  const items: readonly unknown[] = value;
  let changed: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const parsed = parseItem(item);
    if (parsed !== item) changed ??= items.slice(0, at);
    if (changed !== undefined && !(parsed instanceof Invalid)) changed.push(parsed);
  }
  return (changed ?? items) as readonly T[];
}

/** Reads an object used as a map. Keys stay out of the path: they come from the peer. */
export function parseRecord<T>(
  value: unknown,
  parseItem: ParseItem<T>,
): Readonly<Record<string, T>> | Invalid {
  if (!isObject(value)) return new Invalid('', 'an object');
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    const parsed = parseItem(item);
    if (parsed === item) continue;
    if (parsed instanceof Invalid) return parsed.within('*');
    changed ??= { ...value };
    changed[key] = parsed;
  }
  return (changed ?? value) as Readonly<Record<string, T>>;
}

/** The target without a field. The target is the source itself, which stays as it is, or a copy of our own. */
export function without(target: object, source: object, key: string): object {
  const copy = ownCopy(target, source);
  delete copy[key];
  return copy;
}

/** The target with another value in a field, or without the field when that value is invalid. */
export function amended(target: object, source: object, key: string, parsed: unknown): object {
  const copy = ownCopy(target, source);
  if (parsed instanceof Invalid) delete copy[key];
  else copy[key] = parsed;
  return copy;
}

/** The target where a field has an unknown value: the field says so, and the whole raw value is beside it. */
export function withUnknown(target: object, source: object, key: string): object {
  const copy = ownCopy(target, source);
  copy[key] = 'unknown';
  copy['raw'] = source;
  return copy;
}

function ownCopy(target: object, source: object): Record<string, unknown> {
  return target === source ? { ...target } : (target as Record<string, unknown>);
}

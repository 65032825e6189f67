import { isObject } from './schema/value.ts';

/** The contents of `_meta`: any values by key. */
export type Meta = Readonly<Record<string, unknown>>;

/** Returns the `_meta` of params, a result or a capability object. */
export function metaOf(value: unknown): Meta | undefined {
  return isObject(value) && isObject(value['_meta']) ? value['_meta'] : undefined;
}

import { isObject } from './schema/value.ts';

/** What `_meta` holds: anything, by key. */
export type Meta = Readonly<Record<string, unknown>>;

/** The `_meta` of params, of a result, or of a capability object. */
export function metaOf(value: unknown): Meta | undefined {
  return isObject(value) && isObject(value['_meta']) ? value['_meta'] : undefined;
}

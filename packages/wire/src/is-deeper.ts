import { isJsonObject } from './json-object.ts';

/**
 * Checks whether a value of JSON is nested more deeply than a number of levels. Never recurses further than that, and makes no
 * lists of its own: a message may have a million values.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((each: unknown) => isDeeper(each, levels - 1));
  if (!isJsonObject(value)) return false;
  for (const name in value) if (isDeeper(value[name], levels - 1)) return true;
  return false;
}

import { redacted } from '@parley/recording';
import { isJsonObject } from '@parley/wire';

/**
 * The path of the first difference between two values; undefined if they are equal. Redacted parts of the recording
 * match anything, and `_meta` is not compared.
 */
export function findDifference(recorded: unknown, live: unknown, path = ''): string | undefined {
  if (recorded === redacted || Object.is(recorded, live)) return undefined;
  if (Array.isArray(recorded) && Array.isArray(live)) {
    const { length } = recorded.length > live.length ? recorded : live;
    return firstOf(
      Array.from({ length }, (_item, index) => String(index)),
      (index) => findDifference(recorded[Number(index)], live[Number(index)], join(path, index)),
    );
  }
  if (!isJsonObject(recorded) || !isJsonObject(live)) return path === '' ? 'the whole' : path;
  const keys = new Set([...Object.keys(recorded), ...Object.keys(live)]);
  keys.delete('_meta');
  return firstOf([...keys], (key) => findDifference(recorded[key], live[key], join(path, key)));
}

function firstOf(keys: readonly string[], find: (key: string) => string | undefined): string | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

import { isAbsolutePath } from '../../absolute-path.ts';
import { isObject } from '../../schema/value.ts';
import { type Objection, within } from './objection.ts';

/**
 * Looks for a path that is not absolute. ACP v1, Overview: each path on the wire is absolute.
 *
 * @param places Where paths stand, as in `sessions[].cwd`.
 */
export function findRelativePath(value: unknown, places: readonly string[]): Objection | undefined {
  for (const place of places) {
    const objection = findIn(value, place, 0);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/** @param from Where the rest of the place begins. */
function findIn(value: unknown, place: string, from: number): Objection | undefined {
  if (from > place.length) {
    if (typeof value !== 'string' || isAbsolutePath(value)) return undefined;
    return { code: 'invalid-params', path: '', expected: 'an absolute path', found: value };
  }
  if (!isObject(value)) return undefined;
  const dot = place.indexOf('.', from);
  const end = dot === -1 ? place.length : dot;
  const isList = place.endsWith('[]', end);
  const key = place.slice(from, isList ? end - 2 : end);
  const member = value[key];
  if (!isList) return below(key, findIn(member, place, end + 1));
  if (!Array.isArray(member)) return undefined;
  for (const [index, item] of member.entries()) {
    const objection = below(`${key}[${index}]`, findIn(item, place, end + 1));
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function below(key: string, objection: Objection | undefined): Objection | undefined {
  return objection?.path === '' ? { ...objection, path: key } : within(key, objection);
}

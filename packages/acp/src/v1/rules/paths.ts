import { isAbsolutePath } from '../../absolute-path.ts';
import { isObject } from '../../schema/value.ts';
import type { Objection } from './objection.ts';

/**
 * Looks for a path that is not absolute. ACP v1, Overview: each path on the wire is absolute.
 *
 * @param places Where paths stand, as in `sessions[].cwd`.
 */
export function findRelativePath(value: unknown, places: readonly string[]): Objection | undefined {
  for (const place of places) {
    const objection = findIn(value, place.split('.'), '');
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function findIn(value: unknown, steps: readonly string[], trail: string): Objection | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (typeof value !== 'string' || isAbsolutePath(value)) return undefined;
    return { code: 'invalid-params', path: trail, expected: 'an absolute path', found: value };
  }
  if (!isObject(value)) return undefined;
  const isList = step.endsWith('[]');
  const key = isList ? step.slice(0, -2) : step;
  const place = trail === '' ? key : `${trail}.${key}`;
  const member = value[key];
  if (!isList) return findIn(member, rest, place);
  if (!Array.isArray(member)) return undefined;
  for (const [index, item] of member.entries()) {
    const objection = findIn(item, rest, `${place}[${index}]`);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

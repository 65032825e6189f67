import { isObject } from '../../schema/value.ts';
import type { MethodRule } from '../method.ts';
import type { Declared } from './gate.ts';
import { type Objection, undeclared } from './objection.ts';
import { findRelativePath } from './paths.ts';

/** Whose params they are. We are strict in what we send, and tolerant in what we take. */
export type Origin = 'ours' | 'theirs';

/** What a rule has against params whose types are right. */
export function findObjection(
  rule: MethodRule,
  params: unknown,
  declared: Declared,
  origin: Origin,
): Objection | undefined {
  return (
    (rule.paths && findRelativePath(params, rule.paths)) ??
    (rule.fields && findUndeclaredField(params, rule.fields, declared, origin)) ??
    rule.check?.(params, declared) ??
    (origin === 'ours' ? rule.checkSent?.(params, declared) : undefined)
  );
}

/** What a rule has against a result whose types are right. */
export function findResultObjection(
  rule: MethodRule,
  result: unknown,
  declared: Declared,
): Objection | undefined {
  return (
    (rule.resultPaths && findRelativePath(result, rule.resultPaths)) ?? rule.checkResult?.(result, declared)
  );
}

/** An empty list says the same as none; a peer may send it. */
function findUndeclaredField(
  params: unknown,
  fields: NonNullable<MethodRule['fields']>,
  declared: Declared,
  origin: Origin,
): Objection | undefined {
  if (!isObject(params)) return undefined;
  for (const [name, gate] of Object.entries(fields)) {
    const value = params[name];
    if (value === undefined || gate.isOpen(declared)) continue;
    if (origin === 'theirs' && Array.isArray(value) && value.length === 0) continue;
    return undeclared(name, gate);
  }
  return undefined;
}

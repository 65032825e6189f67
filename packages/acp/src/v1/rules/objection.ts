import type { Gate } from './gate.ts';

/** What speaks against params or a result whose types are right. */
export interface Objection {
  /** `not-supported`: a side did not declare the capability that this needs. */
  readonly code: 'invalid-params' | 'not-supported';
  /** The field, as in `prompt[2].type`. */
  readonly path: string;
  readonly expected: string;
  /** The path or the tag that is wrong: never what a user or a model wrote. */
  readonly found?: string;
}

/** A field or a variant that needs a capability which was not declared. */
export function undeclared(path: string, gate: Gate, found?: string): Objection {
  const expected = `what the ${gate.by} declared, which ${gate.capability} is not`;
  return { code: 'not-supported', path, expected, ...(found !== undefined && { found }) };
}

/** A variant that this version does not know. */
export function unknownTag(path: string, expected: string, tag: unknown): Objection {
  return { code: 'not-supported', path, expected, ...(typeof tag === 'string' && { found: tag }) };
}

/** An objection seen from outside, where the value stands under a key. */
export function within(key: string, objection: Objection | undefined): Objection | undefined {
  return objection === undefined ? undefined : { ...objection, path: `${key}.${objection.path}` };
}

/** An objection in words. */
export function toMessage({ path, expected, found }: Objection): string {
  const got = found === undefined ? '' : `, got ${JSON.stringify(found)}`;
  return `${path}: expected ${expected}${got}`;
}

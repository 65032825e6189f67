import { expect } from 'vitest';

/** Matches a text with this part in it. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** Matches any text. */
export const anyText: unknown = expect.any(String);

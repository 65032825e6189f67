/** Where a text stops being JSON, counted from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the first place at which a text is not JSON; `undefined` when it is.
 * The engine's own message may quote the file, and a configuration holds secrets; this one never does.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const end = skipSpace(text, skipValue(text, skipSpace(text, 0)));
  if (end === text.length) return undefined;
  const before = text.slice(0, end < 0 ? -end - 1 : end).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

// Each function takes the offset where something starts and gives the offset behind it,
// or a negative number for a fault: -(offset + 1). A fault passed on stays a fault.

const space = /[ \t\n\r]*/y;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function fault(offset: number): number {
  return -offset - 1;
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : fault(offset);
}

function skipSpace(text: string, offset: number): number {
  return offset < 0 ? offset : skip(space, text, offset);
}

function skipValue(text: string, offset: number): number {
  if (offset < 0) return offset;
  if (text[offset] === '[') return skipItems(text, offset + 1, ']', skipValue);
  if (text[offset] === '{') return skipItems(text, offset + 1, '}', skipMember);
  return skip(scalar, text, offset);
}

function skipMember(text: string, offset: number): number {
  if (text[offset] !== '"') return fault(offset);
  const colon = skipSpace(text, skip(scalar, text, offset));
  if (colon < 0) return colon;
  if (text[colon] !== ':') return fault(colon);
  return skipValue(text, skipSpace(text, colon + 1));
}

function skipItems(
  text: string,
  offset: number,
  close: string,
  skipItem: (text: string, offset: number) => number,
): number {
  let next = skipSpace(text, offset);
  if (text[next] === close) return next + 1;
  for (;;) {
    next = skipSpace(text, skipItem(text, next));
    if (next < 0) return next;
    if (text[next] === close) return next + 1;
    if (text[next] !== ',') return fault(next);
    next = skipSpace(text, next + 1);
  }
}

import { getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** Where a text stops being JSON, counted from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** What JSON has in that place; absent where that is not one thing. */
  readonly expected?: string;
}

/** What a text with JSON comes to. */
export type JsonWithComments =
  | { readonly value: unknown }
  /** `undefined` where the text is nested too deeply to say where. */
  | { readonly fault: JsonFault | undefined };

/**
 * Parses JSON with comments and trailing commas, as editors read their settings. A fault never quotes the text, for a
 * configuration holds secrets.
 */
export function parseWithComments(text: string): JsonWithComments {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined && root !== undefined) return { value: getNodeValue(root) };
    return { fault: toFault(text, first) };
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) return { fault: undefined };
    throw error;
  }
}

function toFault(text: string, error: ParseError | undefined): JsonFault {
  const before = text.slice(0, error?.offset ?? 0).split('\n');
  const expected = error === undefined ? undefined : expectations[printParseErrorCode(error.error)];
  return {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    ...(expected !== undefined && { expected }),
  };
}

/** What the parser misses, by its codes. */
const expectations: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'the end',
};

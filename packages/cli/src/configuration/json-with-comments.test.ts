import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWithComments } from './json-with-comments.ts';

test('comments and trailing commas are ignored', () => {
  const text = '// mine\n{\n  "a": [1, 2,], /* two */\n  "b": "// no comment",\n}\n';
  expect(parseWithComments(text)).toEqual({ value: { a: [1, 2], b: '// no comment' } });
});

test.each([
  ['{\n  "a": 1,\n  b: 2\n}', { line: 3, column: 3 }],
  ['', { line: 1, column: 1, expected: 'a value' }],
  ['[1, 2', { line: 1, column: 6, expected: '"]"' }],
  ['{"a": 1} x', { line: 1, column: 10 }],
  ['{"a": 01}', { line: 1, column: 8, expected: '","' }],
  ['{\n/* open', { line: 2, column: 1 }],
])('the fault of %j is named by line and column', (text, fault) => {
  expect(parseWithComments(text)).toEqual({ fault });
});

test('text that is nested too deeply is rejected', () => {
  expect(parseWithComments('['.repeat(200_000))).toEqual({ fault: undefined });
});

test('JSON has the value that JSON.parse gives it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseWithComments(JSON.stringify(value))).toEqual({
        value: JSON.parse(JSON.stringify(value)) as unknown,
      });
    }),
  );
});

test('a field named __proto__ is an ordinary field', () => {
  const text = '{ /* hostile */ "__proto__": { "agents": {} } }';
  const parsed = parseWithComments(text);
  expect('value' in parsed && Object.entries(parsed.value as object)).toEqual([
    ['__proto__', { agents: {} }],
  ]);
});

test('a text with one changed character is rejected exactly when JSON.parse rejects it', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('"', '{', '}', ':', '\\', '1', ' ', '\n', '-', 'e', ''),
      (text, at, character) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        expect('value' in parseWithComments(changed)).toBe(isJson(changed) || hasTrailingComma(changed));
      },
    ),
    { numRuns: 1000 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is JSON but for commas before a closing bracket. */
function hasTrailingComma(text: string): boolean {
  return isJson(text.replaceAll(/("(?:[^"\\]|\\.)*")|,(\s*[\]}])/gu, '$1$2'));
}

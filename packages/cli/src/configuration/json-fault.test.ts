import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('the fault is named by line and column', () => {
  expect(findJsonFault('{\n  "a": 1,\n  b: 2\n}')).toEqual({ line: 3, column: 3 });
  expect(findJsonFault('')).toEqual({ line: 1, column: 1 });
  expect(findJsonFault('[1, 2')).toEqual({ line: 1, column: 6 });
  expect(findJsonFault('{"a": 1} x')).toEqual({ line: 1, column: 10 });
});

test('any value that is JSON has no fault', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findJsonFault(text)).toBeUndefined();
    }),
  );
});

test('a text with one character changed has a fault exactly when the engine refuses it', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('"', '{', '}', ',', ':', '\\', '1', ' ', '\n', '-', 'e', ''),
      (text, at, character) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        expect(findJsonFault(changed) === undefined).toBe(isJson(changed));
      },
    ),
    { numRuns: 1000 },
  );
});

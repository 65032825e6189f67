import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireError } from '../wire-error.ts';
import { CallText, toResultText } from './message-text.ts';

const method = fc.oneof(fc.constantFrom('session/update', 'fs/read_text_file'), fc.string());
const json = fc.jsonValue();

test('calls are written as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.option(fc.maxSafeNat()), method, fc.option(json))), (calls) => {
      const text = new CallText();
      for (const [id, name, params] of calls) {
        const members = { method: name, ...(params !== null && { params }) };
        if (id === null) {
          expect(text.notification(name, members.params)).toBe(
            JSON.stringify({ jsonrpc: '2.0', ...members }),
          );
        } else {
          expect(text.request(id, name, members.params)).toBe(
            JSON.stringify({ jsonrpc: '2.0', id, ...members }),
          );
        }
      }
    }),
  );
});

test('results are written as JSON.stringify writes them', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string(), fc.constant(null));
  fc.assert(
    fc.property(id, json, (requestId, result) => {
      expect(toResultText(requestId, result)).toBe(JSON.stringify({ jsonrpc: '2.0', id: requestId, result }));
    }),
  );
});

test.each([() => 1, Symbol('x'), 1n, { toJSON: () => undefined }])('%s is not written', (value) => {
  const text = new CallText();
  expect(text.notification('a', value)).toMatchObject({ code: 'not-serializable', method: 'a' });
  expect(text.request(1, 'a', value)).toBeInstanceOf(WireError);
  expect(() => toResultText(1, value)).toThrow(TypeError);
});

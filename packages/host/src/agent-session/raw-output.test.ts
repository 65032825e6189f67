import { expect, test } from 'vitest';
import { rawOutputText } from './raw-output.ts';

const content = [{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }];

test.each([
  ['made', 'made'],
  [{ output: 'made', exitCode: 0 }, 'made'],
  [{ content }, 'one\ntwo'],
  [{ result: { content, structuredContent: null }, error: null }, 'one\ntwo'],
  [{ result: { content: [{ type: 'image' }] } }, undefined],
  [{ exitCode: 0 }, undefined],
  [{ result: null, content: 7 }, undefined],
  [undefined, undefined],
])('%o says %o', (rawOutput, text) => {
  expect(rawOutputText(rawOutput)).toBe(text);
});

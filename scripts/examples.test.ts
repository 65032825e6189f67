import { expect, test } from 'vitest';
import { examplesIn } from './examples.mjs';

test('examples keep their line numbers of the document', () => {
  const document = '# Wire\n\n```ts\nconnect(left);\n```\n\n```sh\nnpm ci\n```\n\n```ts\nclose();\n```\n';
  expect(examplesIn(document)).toEqual([
    { line: 3, code: '\n\n\nconnect(left);\n' },
    { line: 11, code: `${'\n'.repeat(11)}close();\n` },
  ]);
});

test('the preamble of an example precedes it, and applies to no other', () => {
  const document = '<!-- given\ndeclare const a: 1;\n-->\n\n```ts\nuse(a);\n```\n\n```ts\nb();\n```\n';
  expect(examplesIn(document)).toEqual([
    { line: 1, code: '\ndeclare const a: 1;\n\n\n\nuse(a);\n' },
    { line: 9, code: `${'\n'.repeat(9)}b();\n` },
  ]);
});

test('a fence in a list or in another language is not an example', () => {
  expect(examplesIn('- so:\n\n  ```ts\n  a();\n  ```\n\n```tsx\nb();\n```\n')).toEqual([]);
});

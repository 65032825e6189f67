import { expect, test } from 'vitest';
import { judgeDocument } from './document-rules.mjs';

const readme = { path: 'README.md', text: '# Parley\n\n## Try it: now\n' };
const repository = {
  paths: new Set(['README.md', 'docs', 'docs/guide.md', 'packages/wire']),
  documents: new Map([[readme.path, readme]]),
  scripts: new Set(['test', 'build']),
};

test.each([
  ['[here](missing.md)', 'the link missing.md leads nowhere'],
  ['[here](../README.md#try-it)', 'README.md has no heading #try-it'],
  ['see `packages/wires/`', 'there is no packages/wires/'],
  ['```sh\nnpm run deploy\n```', 'there is no script deploy'],
  ['```sh\nnpm start\n```', 'there is no script start'],
])('%j is reported', (text, problem) => {
  expect(judgeDocument({ path: 'docs/guide.md', text }, repository)).toEqual([`docs/guide.md: ${problem}`]);
});

test.each([
  '[here](../README.md), [there](../README.md#try-it-now), [out](https://example.com/missing.md)',
  'see `packages/wire/`, run `npm test` or `npm run build`',
  '```js\nlist[0](missing)\n```',
])('%j is fine', (text) => {
  expect(judgeDocument({ path: 'docs/guide.md', text }, repository)).toEqual([]);
});

import fc from 'fast-check';
import { createElement, type ReactElement } from 'react';
import { prerender } from 'react-dom/static.edge';
import { expect, test } from 'vitest';
import { enFirst } from '../../text/en-first.ts';
import { en } from '../../text/en.ts';
import { SpeechContext } from '../../text/language.tsx';
import { isProse } from './is-prose.ts';
import { MarkdownBlock } from './markdown-block.tsx';

const speech = { language: 'en', texts: enFirst, all: en, choose: () => {} } as const;

async function render(block: ReactElement): Promise<string> {
  const { prelude } = await prerender(createElement(SpeechContext, { value: speech }, block));
  return await new Response(prelude).text();
}

test.each([
  'The test fails because the list is empty.',
  'First line,\nsecond line: (a note) and "a quotation"\n\n',
  'Ärger über 3 Dateien — 20 % größer…',
  '这里有三个文件。',
  "It's done; nothing else changed!",
  'A sentence that is still being ',
])('%j is prose', (text) => {
  expect(isProse(text)).toBe(true);
});

test.each([
  '',
  '\n',
  'Run `npm test`.',
  '- an item',
  '1. an item',
  'A heading\n---',
  'A heading\n===',
  'A hard break  \nhere',
  'see www.example.com',
  'see https://example.com',
  'mail a@example.com',
  'one paragraph\n\nand another',
  '    code',
  'a | table\n- | -',
  'An &amp; or a \\',
])('%j is not', (text) => {
  expect(isProse(text)).toBe(false);
});

const oddWords = '-- --- 1. 1) www. www.a.de http: a: / // xmpp: mailto: ftp://x ! * ` # + = ~';

test('what is prose is rendered as by Markdown', async () => {
  const plain = fc.constantFrom(
    'The',
    'file',
    'a',
    'is',
    'Ä',
    '文件',
    '3',
    '20 %',
    '(x)',
    '"y"',
    "it's",
    '–',
    '-',
    '…',
    'e.g.',
  );
  const odd = fc.constantFrom(...oddWords.split(' '));
  const word = fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: odd });
  const end = fc.constantFrom(' ', ' ', ' ', ' ', ' ', ' ', '\n', ', ', '. ', '  ', '\n\n', '');
  const text = fc
    .array(fc.tuple(word, end), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat().join(''));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(text, async (tried) => {
      if (!isProse(tried)) return;
      count += 1;
      const formatted = await render(
        createElement(MarkdownBlock, { text: tried, definitions: '', prefix: 'm' }),
      );
      expect(await render(createElement('p', { dir: 'auto' }, tried.trimEnd()))).toBe(formatted);
    }),
    { numRuns: 3000 },
  );
  expect(count).toBeGreaterThan(300);
});

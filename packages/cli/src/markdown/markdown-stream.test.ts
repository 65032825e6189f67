import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createStyle } from '../output/style.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { renderMarkdown } from './render-markdown.ts';

const style = createStyle(true, {});

function rowsOf(text: string, columns = 40): readonly string[] {
  return stripVTControlCharacters(renderMarkdown(text, { columns: () => columns, style })).split('\n');
}

test('headings, lists, quotes, code and bold are shown without their marks', () => {
  const text = '# Title\n- **bold** item\n1. `code`\n> quote\n```ts\nconst a = "**";\n```\nsnake_case_name';
  expect(rowsOf(text)).toEqual([
    'Title',
    '• bold item',
    '1. code',
    '│ quote',
    '  ts',
    '  const a = "**";',
    'snake_case_name',
  ]);
  expect(renderMarkdown('**b** `c`', { columns: () => 40, style })).toBe(
    '\u001b[1mb\u001b[22m \u001b[36mc\u001b[39m',
  );
});

test('URLs, HTML, comments and references stay visible', () => {
  expect(rowsOf('[docs](https://evil.example/x) <!-- note --> <b>x</b>', 80)).toEqual([
    'docs (https://evil.example/x) <!-- note --> <b>x</b>',
  ]);
  expect(rowsOf('[id]: https://a.example\n![alt](https://b.example/i.png) https://c.example', 80)).toEqual([
    '[id]: https://a.example',
    '![alt](https://b.example/i.png) https://c.example',
  ]);
});

test('a table fits the width, with wide characters counted as two', () => {
  expect(
    rowsOf('| Name | Number | 描述 |\n|---|--:|---|\n| a | 12 | 这是一个很长的描述 |\n\nafter', 30),
  ).toEqual([
    'Name │ Number │ 描述',
    '─────┼────────┼───────────────',
    'a    │     12 │ 这是一个很长的',
    '     │        │ 描述',
    '',
    'after',
  ]);
});

test('a table with too many columns, and a line with a bar that is not a table, are printed unchanged', () => {
  const wide = `|${' a |'.repeat(20)}\n|${'---|'.repeat(20)}\n|${' b |'.repeat(20)}`;
  expect(rowsOf(wide, 200)[0]).toContain('a │ a');
  expect(rowsOf(wide, 30).join('')).toContain('|---|---|');
  expect(rowsOf('a || b\nnext')).toEqual(['a || b', 'next']);
});

test('any split of a text gives the same rows, and the unfinished line is shown at once', () => {
  const text = '## T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n- item **one**\nend';
  const whole = rowsOf(text);
  for (const size of [1, 2, 3, 7]) {
    const markdown = new MarkdownStream({ columns: () => 40, style });
    const rows: string[] = [];
    for (let at = 0; at < text.length; at += size) rows.push(...markdown.add(text.slice(at, at + size)));
    expect(markdown.open.join('')).toContain('end');
    rows.push(...markdown.end());
    expect(rows.map((row) => stripVTControlCharacters(row))).toEqual(whole);
  }
});

test('without colors the Markdown marks stay, and words are not broken', () => {
  const plain = { columns: () => 20, style: createStyle(false, {}) };
  expect(renderMarkdown('# Title\n**bold** and `code` and words', plain)).toBe(
    '# Title\n**bold** and `code`\nand words',
  );
});

test('text that takes too long to parse is printed unchanged', () => {
  const text = '*_'.repeat(5000);
  expect(rowsOf(text, 20_000)).toEqual([text]);
});

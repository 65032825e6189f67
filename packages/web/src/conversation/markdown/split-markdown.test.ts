import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fenceOf, splitMarkdown, type MarkdownSplit } from './split-markdown.ts';

const line = fc.constantFrom(
  'A paragraph.',
  '- item',
  '1. first',
  '2. second',
  '  indented',
  '    code',
  '```ts',
  '  ```',
  '```',
  '~~~~',
  '````',
  '> quoted',
  '| a | b |',
  '|---|---|',
  '# Heading',
  '---',
  '[link]: https://example.com',
  '<!-- a comment',
  'ends -->',
  '<pre>',
  '</pre>',
  '',
  '',
  '\r',
  '-',
  '1',
);
const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join('\n'));

describe('a text in blocks', () => {
  test('any cut of the stream gives the same end result', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(300), { maxLength: 12 }), (whole, cuts) => {
        let split: MarkdownSplit | undefined;
        for (const cut of cuts.toSorted((left, right) => left - right)) {
          split = splitMarkdown(whole.slice(0, cut), split);
        }
        expect(splitMarkdown(whole, split)).toEqual(splitMarkdown(whole));
      }),
    );
  });

  test('the blocks concatenated are the text', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(splitMarkdown(whole).blocks.join('')).toBe(whole);
      }),
    );
  });

  test('finished blocks do not change when more text arrives', () => {
    fc.assert(
      fc.property(text, text, (begun, more) => {
        const { blocks, settled } = splitMarkdown(begun);
        expect(splitMarkdown(begun + more).blocks.slice(0, settled)).toEqual(blocks.slice(0, settled));
      }),
    );
  });

  test('paragraphs and fences are blocks of their own; a list is one', () => {
    const { blocks } = splitMarkdown(
      'One\ntwo\n\nThree\n```ts\na\n\nb\n```\nFour\n\n- a\n\n  more\n- b\n\nFive',
    );
    expect(blocks).toEqual([
      'One\ntwo\n\n',
      'Three\n',
      '```ts\na\n\nb\n```\n',
      'Four\n\n',
      '- a\n\n  more\n- b\n\n',
      'Five',
    ]);
  });

  test('a fence within a list stays in the list', () => {
    expect(splitMarkdown('- a\n\n  ```\n  x\n\n  y\n  ```\n\n  b').blocks).toHaveLength(1);
  });

  test('changed text is split again from its beginning', () => {
    expect(splitMarkdown('b\n\nc', splitMarkdown('a\n\nb\n\nc'))).toEqual(splitMarkdown('b\n\nc'));
  });

  test('link definitions apply to all blocks', () => {
    const { definitions } = splitMarkdown('See [it] [^1].\n\n[it]: https://example.com\n\n[^1]: A note.\n');
    expect(definitions).toContain('[it]: https://example.com');
    expect(definitions).toContain('[^1]: A note.');
  });
});

describe('a fence', () => {
  test('contains code of a language', () => {
    expect(fenceOf('```ts title="a"\nlet a;\n```\n\n')).toEqual({
      language: 'ts',
      code: 'let a;',
      isClosed: true,
    });
    expect(fenceOf('~~~\na\n```\n~~~~')).toEqual({ language: '', code: 'a\n```', isClosed: true });
  });

  test('may still be open', () => {
    expect(fenceOf('```py\nprint(1)\n``')).toEqual({
      language: 'py',
      code: 'print(1)\n``',
      isClosed: false,
    });
    expect(fenceOf('```')).toEqual({ language: '', code: '', isClosed: false });
  });

  test('is not mistaken for similar text', () => {
    expect(fenceOf('```a``` is code')).toBeUndefined();
    expect(fenceOf('text\n```')).toBeUndefined();
  });
});

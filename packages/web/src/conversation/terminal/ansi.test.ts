import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstLines, lastLines, parseAnsi, plainText } from './ansi.ts';

describe('what a command wrote', () => {
  test('has its colors', () => {
    expect(parseAnsi('a \u001B[1;31mred\u001B[0m b')).toEqual([
      { text: 'a ', style: {} },
      { text: 'red', style: { isBold: true, colour: 1 } },
      { text: ' b', style: {} },
    ]);
    expect(parseAnsi('\u001B[92mgreen\u001B[39m\u001B[100mbackground')).toEqual([
      { text: 'green', style: { colour: 10 } },
      { text: 'background', style: { background: 8 } },
    ]);
  });

  test('has colors of the palette and RGB colors', () => {
    expect(parseAnsi('\u001B[38;5;196ma\u001B[38;2;1;2;3;4mb\u001B[48;5;232mc\u001B[38;5;3md')).toEqual([
      { text: 'a', style: { colour: 'rgb(255 0 0)' } },
      { text: 'b', style: { colour: 'rgb(1 2 3)', isUnderlined: true } },
      { text: 'c', style: { colour: 'rgb(1 2 3)', isUnderlined: true, background: 'rgb(8 8 8)' } },
      { text: 'd', style: { colour: 3, isUnderlined: true, background: 'rgb(8 8 8)' } },
    ]);
  });

  test('is shown without cursor movement, bells and window titles', () => {
    expect(
      plainText(
        '\u001B]0;title\u0007a\u001B[2K\u001B[1Gb\u001B[?25lc\u0007\u001B(Bd\u001B]8;;https://x\u001B\\e',
      ),
    ).toBe('abcde');
  });

  test('shows the last text of an overwritten line', () => {
    expect(plainText('10 %\r50 %\r100 %\r\ndone\r\n')).toBe('100 %\ndone\n');
    expect(plainText('ab\bc')).toBe('ac');
  });

  test('has no escape sequence, for any input', () => {
    const piece = fc.constantFrom(
      '\u001B',
      '[',
      ']',
      '0',
      ';',
      'm',
      'K',
      '\u0007',
      'a',
      '\n',
      '\\',
      '?',
      '38',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(plainText(pieces.join('')).replaceAll('\u001B', '')).not.toMatch(
          /[\u0000-\u0008\u000E-\u001F]/,
        );
      }),
    );
  });
});

describe('the last lines', () => {
  test('are those at the end, with the number of lines above', () => {
    expect(lastLines('a\nb\nc\nd\n', 2)).toEqual({ text: 'c\nd\n', above: 2 });
    expect(lastLines('a\nb', 2)).toEqual({ text: 'a\nb', above: 0 });
    expect(lastLines('\na\nb', 2)).toEqual({ text: '\na\nb', above: 0 });
    expect(lastLines('', 2)).toEqual({ text: '', above: 0 });
  });
});

describe('the first lines', () => {
  test('are those at the start, with the number of lines below', () => {
    expect(firstLines('a\nb\nc\nd\n', 2)).toEqual({ text: 'a\nb\n', below: 2 });
    expect(firstLines('a\nb\nc', 2)).toEqual({ text: 'a\nb\n', below: 1 });
    expect(firstLines('a\nb\n', 2)).toEqual({ text: 'a\nb\n', below: 0 });
    expect(firstLines('', 2)).toEqual({ text: '', below: 0 });
  });
});

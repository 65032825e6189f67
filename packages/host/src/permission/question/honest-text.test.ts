import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHonestLine, toHonestPieces, toHonestText } from './honest-text.ts';

test('characters that reorder or hide text are shown as codes', () => {
  expect(toHonestText('rm \u202etxt.fdp\u202c')).toBe('rm ⟨U+202E⟩txt.fdp⟨U+202C⟩');
  expect(toHonestText('a\u200bb\u00adc\u{e0041}')).toBe('a⟨U+200B⟩b⟨U+00AD⟩c⟨U+E0041⟩');
  expect(toHonestText('safe\rrm -rf ~\u001b[2K')).toBe('safe⟨U+000D⟩rm -rf ~⟨U+001B⟩[2K');
});

test('C1 controls and control strings are shown with their content', () => {
  expect(toHonestText('a\u009d0;rm -rf ~\u009cb')).toBe('a⟨U+009D⟩0;rm -rf ~⟨U+009C⟩b');
  expect(toHonestText('\u001b]8;;x\u0007y\u009b2K')).toBe('⟨U+001B⟩]8;;x⟨U+0007⟩y⟨U+009B⟩2K');
});

test('unusual spaces, lone surrogates and blank letters are shown as codes', () => {
  expect(toHonestText('a\u00a0b\u3000c\u2028d\ud800')).toBe('a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d⟨U+D800⟩');
  expect(toHonestText('a\u3164\u2800\ufffc')).toBe('a⟨U+3164⟩⟨U+2800⟩⟨U+FFFC⟩');
});

test('line breaks, tabs and letters of any language are shown as they are', () => {
  const text = 'echo "h\u00e9llo"\n\tрусский язык, 中文 ✓ e\u0301 \u0928\u093f\u0939\u094d\u0928';
  expect(toHonestPieces(text)).toEqual([{ kind: 'plain', text }]);
});

test('the brackets of our own notation cannot be imitated', () => {
  expect(toHonestText('⟨U+202E⟩')).toBe('⟨U+27E8⟩U+202E⟩');
});

test('combining marks without a letter, and stacks of them, are shown as codes', () => {
  expect(toHonestText('a =\u0338 b')).toBe('a =⟨U+0338⟩ b');
  expect(toHonestText(`x${'\u0300'.repeat(6)}`)).toBe(`x${'\u0300'.repeat(4)}⟨U+0300⟩⟨U+0300⟩`);
});

test.each([
  ['npm install re\u0430ct', 'npm install re\u0430ct⟨≈U+0430⟩'],
  ['\u0441\u0440 a b', '\u0441\u0440⟨≈U+0441 U+0440⟩ a b'],
  ['\uff52\uff4d x', '\uff52\uff4d⟨≈U+FF52 U+FF4D⟩ x'],
  ['\u{1d5cb}m', '\u{1d5cb}m⟨≈U+1D5CB⟩'],
  ['a\u2215b\u037e', 'a\u2215⟨≈U+2215⟩b\u037e⟨≈U+037E⟩'],
])('letters and signs that look like others are marked: %j', (text, shown) => {
  expect(toHonestText(text)).toBe(shown);
});

test('right-to-left words are isolated, so that they cannot reorder neighboring text', () => {
  expect(toHonestPieces('rm \u05d0\u05d1 / \u05d2').map(({ kind, text }) => [kind, text])).toEqual([
    ['plain', 'rm '],
    ['right-to-left', '\u05d0\u05d1'],
    ['plain', ' / '],
    ['right-to-left', '\u05d2'],
  ]);
});

test('runs of spaces that would push text out of sight are counted', () => {
  expect(toHonestText(`ls${'\n'.repeat(500)}rm -rf ~`)).toBe('ls\n⟨499 empty lines⟩\nrm -rf ~');
  expect(toHonestText(`\n\n\n\n\nx`)).toBe('\n⟨4 empty lines⟩\nx');
  expect(toHonestText(`a\n \n\t\n \n \n\nb`)).toBe('a\n⟨5 empty lines, 3 spaces, 1 tab⟩\nb');
  expect(toHonestText(`ls${' '.repeat(200)};rm`)).toBe('ls⟨200 spaces⟩;rm');
  expect(toHonestText(`ls${'\t '.repeat(20)};rm`)).toBe('ls⟨20 spaces, 20 tabs⟩;rm');
  expect(toHonestText('a\n\n\nb    c')).toBe('a\n\n\nb    c');
});

const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xff }),
      fc.integer({ min: 0, max: 0x10_ff_ff }),
      fc.constantFrom(0x0a, 0x20, 0x09, 0x0430, 0x61, 0x05d0, 0x0300, 0xfe0f, 0x27e8),
    ),
    { maxLength: 60 },
  )
  .map((codes) => String.fromCodePoint(...codes));

test('no part of a text is lost, and no shown character is invisible', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const pieces = toHonestPieces(text);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(toHonestText(text)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[^\P{Cc}\n\t]|[ \t]{33}/u);
    }),
  );
});

test('splitting a long text takes linear time', () => {
  const long = [
    `x${' '.repeat(300_000)}`,
    '\n'.repeat(300_000),
    'a'.repeat(300_000),
    '\u0430'.repeat(300_000),
  ];
  for (const text of long) {
    expect(
      toHonestPieces(text)
        .map((piece) => piece.text)
        .join('').length,
    ).toBe(text.length);
  }
});

test('in a list a text is one line, marked if truncated', () => {
  expect(toHonestLine('one\n  two\tthree')).toBe('one two three');
  expect(toHonestLine('x'.repeat(500), 10)).toBe('xxxxxxxxx…');
  expect(toHonestLine(`ab${' '.repeat(80)}rm`, 10)).toBe('ab…');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHonestLine, toHonestPieces, toHonestText } from './honest-text.ts';

test('what reorders or hides text is shown by its code', () => {
  expect(toHonestText('rm \u202etxt.fdp\u202c')).toBe('rm U+202Etxt.fdpU+202C');
  expect(toHonestText('a\u200bb\u00adc\u{e0041}')).toBe('aU+200BbU+00ADcU+E0041');
  expect(toHonestText('safe\rrm -rf ~\u001b[2K')).toBe('safeU+000Drm -rf ~U+001B[2K');
});

test('a space that is no plain space, and a lone surrogate, are shown by their codes', () => {
  expect(toHonestText('a\u00a0b\u3000c\u2028d\ud800')).toBe('aU+00A0bU+3000cU+2028dU+D800');
});

test('new lines, tabs, and the letters of any language are plain', () => {
  const text = 'echo "héllo"\n\tрусский 中文 ✓';
  expect(toHonestPieces(text)).toEqual([{ kind: 'plain', text }]);
});

test('a word of letters that look alike is a piece of its own', () => {
  expect(toHonestPieces('npm install re\u0430ct')).toEqual([
    { kind: 'plain', text: 'npm install ' },
    { kind: 'lookalike', text: 're\u0430ct' },
  ]);
});

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10_ff_ff })), {
    maxLength: 30,
  })
  .map((codes) => String.fromCodePoint(...codes));

test('nothing of a text is lost, and nothing of it is invisible', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = toHonestPieces(text)
        .map((piece) =>
          piece.kind === 'hidden'
            ? String.fromCodePoint(Number.parseInt(piece.text.slice(2), 16))
            : piece.text,
        )
        .join('');
      expect(shown).toBe(text);
      expect(toHonestText(text)).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n\t]/u);
    }),
  );
});

test('in a list it is one line, which is cut where it is long', () => {
  expect(toHonestLine('one\n  two\tthree')).toBe('one two three');
  expect(toHonestLine('x'.repeat(500), 10)).toBe('xxxxxxxxx…');
});

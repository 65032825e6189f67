import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPlainLine, toPlainText } from './plain.ts';

test('escape sequences of all families are removed completely', () => {
  expect(toPlainText('a\u001b[31mred\u001b[0m b')).toBe('ared b');
  expect(toPlainText('\u001b]0;title\u0007x\u001b]8;;http://e\u001b\\link')).toBe('xlink');
  expect(toPlainText('\u001bP1$r\u001b\\q\u001b(Bz\u001bcA')).toBe('qzA');
  expect(toPlainText('\u009b31mC1\u009d0;t\u009cz')).toBe('C1z');
});

test('newline and tab stay; carriage return and bell are removed', () => {
  expect(toPlainText('a\r\n\tb\u0007\b\u007f')).toBe('a\n\tb');
});

test('no input results in a control character', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u001b', '[', ']', '\u009b', '31m', '\u0007'),
  );
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      expect(toPlainText(parts.join(''))).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});

test('text without control characters is unchanged', () => {
  expect(toPlainText('Grüße, 世界 👩‍💻 e\u0301')).toBe('Grüße, 世界 👩‍💻 e\u0301');
});

test('an unterminated control string removes no text', () => {
  expect(toPlainText('a\u009d0;b\nc')).toBe('a0;b\nc');
  expect(toPlainText('a\u001b]b\nc\u0007d')).toBe('ab\ncd');
});

test('nothing reorders the text', () => {
  expect(toPlainText('rm \u202egnp.exe\u2069')).toBe('rm gnp.exe');
});

test('a line is one line, and short', () => {
  expect(toPlainLine('  one\n two\u001b[2K ')).toBe('one two');
  expect(toPlainLine('x'.repeat(50), 10)).toBe('xxxxxxxxx…');
});

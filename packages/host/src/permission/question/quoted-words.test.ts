import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteWord, quoteWords } from './quoted-words.ts';

test('a word with spaces or quotes, or an empty one, stays one word', () => {
  expect(quoteWords(['git', 'commit', '-m', 'a; rm b'])).toBe("git commit -m 'a; rm b'");
  expect(quoteWords(['echo', '', "it's", 'a\nb', '~', '$HOME'])).toBe(
    `echo '' 'it'\\''s' 'a\nb' '~' '$HOME'`,
  );
});

test('a program name with an equals sign is not an assignment', () => {
  expect(quoteWords(['A=b', 'C=d'])).toBe("'A=b' C=d");
});

test('the quoted line parses back to the same words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("'", '\\', ' ', '\n', '"', '$', 'a') })),
      (words) => {
        const line = words.map(quoteWord).join(' ');
        expect(readWords(line)).toEqual(words);
      },
    ),
  );
});

/** What a POSIX shell makes of words, single quotes and a backslash before a quote. */
function readWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}

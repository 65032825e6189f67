import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBatchFile, toBatchLaunch } from './batch-launch.ts';

const npx = String.raw`C:\Program Files\nodejs\npx.cmd`;

test.each([
  [npx, true],
  ['TOOL.BAT', true],
  ['node.exe', false],
  ['cmd', false],
  ['a.cmd.exe', false],
])('%s is a batch file: %s', (file, isOne) => {
  expect(isBatchFile(file)).toBe(isOne);
});

test('cmd.exe of the system runs it, with each word between quotes', () => {
  expect(toBatchLaunch(npx, ['--yes', 'pkg@1.0', 'a & b'], { SystemRoot: String.raw`D:\Win` })).toEqual({
    command: String.raw`D:\Win\System32\cmd.exe`,
    args: ['/d', '/v:off', '/s', '/c', `""${npx}" "--yes" "pkg@1.0" "a & b""`],
    isVerbatim: true,
  });
});

test.each(['say "hi"', '%PATH%', 'two\nlines', 'two\rlines', 'a\0b', '100%', '"'])(
  'what could mean something else is refused: %j',
  (word) => {
    expect(() => toBatchLaunch(npx, ['ok', word], {})).toThrow(
      expect.objectContaining({ code: 'not-started' }),
    );
    expect(() => toBatchLaunch(`C:\\${word}\\x.cmd`, [], {})).toThrow(
      expect.objectContaining({ code: 'not-started' }),
    );
  },
);

/** Words with everything that means something to cmd.exe. */
const word = fc
  .string({ unit: fc.constantFrom(...String.raw`ab \&|<>^()[]{}=;!'+,~@*?$#-/:.`, 'ä') })
  .filter((text) => text.length < 40);

test('nothing stands outside quotes, and a program behind it reads the words that were given', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const line = toBatchLaunch(npx, words, {}).args.at(-1) ?? '';
      // With /s the first and the last quote go, and nothing else.
      const inner = line.slice(1, -1);
      expect(outsideQuotes(inner)).toMatch(/^ *$/u);
      expect(readWords(inner)).toEqual([npx, ...words]);
    }),
    { numRuns: 500 },
  );
});

/** What cmd.exe looks at: for it each quote opens or closes, and a backslash is a character like any other. */
function outsideQuotes(line: string): string {
  return line
    .split('"')
    .filter((_part, index) => index % 2 === 0)
    .join('');
}

/** How a program reads its line on Windows: backslashes count only before a quote, where two are one. */
function readWords(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\+(?!\\*")|(?:\\\\)+(?="))*)"/gu)].map(([, quoted = '']) =>
    quoted.replace(/(?<tail>(?:\\\\)+)$/u, (tail) => tail.slice(tail.length / 2)),
  );
}

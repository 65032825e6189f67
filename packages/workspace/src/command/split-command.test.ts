import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../process/run-command.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import type { CommandPart } from './command-part.ts';
import { splitCommand } from './split-command.ts';

/** A part in short: assignments, words (`~` before one that is not literal), files that are written. */
function inShort(part: CommandPart): string {
  return [
    ...part.assignments.map(({ name, value }) => `${name}:=${value.isLiteral ? '' : '~'}${value.text}`),
    ...part.words.map((word) => `${word.isLiteral ? '' : '~'}${word.text}`),
    ...part.writes.map(({ text }) => `>${text}`),
    ...part.reads.map(({ text }) => `<${text}`),
  ].join('|');
}

test.each<[string, readonly string[]]>([
  ['', []],
  ['  \t\n ', []],
  ['# nothing', []],
  ['npm test', ['npm|test']],
  ['  npm\ttest  ', ['npm|test']],
  ['a; b;c', ['a', 'b', 'c']],
  ['a && b || c | d & e', ['a', 'b', 'c', 'd', 'e']],
  ['a\nb\n\n c &\n d', ['a', 'b', 'c', 'd']],
  ['a |\n b &&\n\n c', ['a', 'b', 'c']],
  ['a # ; b\nc', ['a', 'c']],
  ['a#b c', ['a#b|c']],
  ['(a; (b)) | c', ['a', 'b', 'c']],
  ['{ a; b; } > out', ['a', 'b', '>out']],
  ['{ a\n}', ['a']],
  ['! a | b', ['a', 'b']],
  ['echo $(a $(b))', ['b', 'a|~$(b)', 'echo|~$(a $(b))']],
  ['echo "x $(a; b) y" c', ['a', 'b', 'echo|~"x $(a; b) y"|c']],
  ['echo `a | b` "`c`"', ['a', 'b', 'c', 'echo|~`a | b`|~"`c`"']],
  ['diff <(a) >(b)', ['a', 'b', 'diff|~<(a)|~>(b)']],
  [`a 'b;c' "d|e" f\\&g '' "h\\"i\\$j\\k"`, ['a|b;c|d|e|f&g||h"i$j\\k']],
  [`a'b'"c"d e\\'f`, ["abcd|e'f"]],
  [`'a b' c`, ['a b|c']],
  [`a "b\nc"`, ['a|b\nc']],
  ['a \\\n b\\\nc', ['a|bc']],
  ['a $X "${Y}" $1 $? b$ "$"', ['a|~$X|~"${Y}"|~$1|~$?|b$|$']],
  ['a * b?c [d] {e,f} ~/g x=~/h i~j HEAD~1', ['a|~*|~b?c|~[d]|~{e,f}|~~/g|~x=~/h|i~j|HEAD~1']],
  ["a '*' \\* \"?\" '~'", ['a|*|*|?|~']],
  ['[ -f a ] && b', ['[|-f|a|]', 'b']],
  ['find . -exec a {} +', ['find|.|-exec|a|{}|+']],
  ['X=1 Y=$Z Q="a b" a W=2', ['X:=1|Y:=~Y=$Z|Q:=a b|a|W=2'.replace('Y=$Z', '$Z')]],
  ['X=1', ['X:=1']],
  ['a > f >> g 2> h >| i <> j', ['a|>f|>g|>h|>i|>j']],
  ['a < f 2>&1 >&2 <&- 2>/dev/null', ['a|<f']],
  ['a >"f g" > $X', ['a|>f g|>$X']],
  ['> f', ['>f']],
  ['a 2 > f', ['a|2|>f']],
  ['a2> f', ['a2|>f']],
  ["'if' a", ['if|a']],
  ['echo if then', ['echo|if|then']],
])('%j has the parts %j', (line, parts) => {
  expect(splitCommand(line)?.map(inShort)).toEqual(parts);
});

describe('what is not understood for certain is not judged', () => {
  test.each([
    ["a 'b", 'a "b', 'a `b', 'a $(b', 'a ${b', '(a', '{ a; ', 'a )', 'a }; }', 'a \\'],
    ['a &&', 'a |', '| a', '; a', 'a ;; b', 'a && && b', '& a', '( a ) b', '! ! a', '!'],
    ['a << b', 'a <<- b', 'a <<< b', 'a &> f', 'a >& f', 'a &>> f', 'a |& b', 'a >', 'a > > f', 'a 12> f'],
    ['$X', '"$X" a', '$(a)', '`a`', 'a*', '{a,b}', '~/a', 'X=1 $Y', 'a; $Y'],
    ['eval a', "trap 'a' EXIT", "alias a='b'", "unset 'a[$(b)]'", "printf -v 'a[$(b)]' x", 'let a', 'read a'],
    ['if a; then b; fi', 'for a in b; do c; done', 'while a; do b; done', 'case a in b) c;; esac', 'until a'],
    ['time ! a', 'time -p ! a', 'time -- time ! a', 'time coproc a', 'time [[ -n a ]]'],
    [
      'a() { b; }',
      'a () (b)',
      'function a { b; }',
      'coproc a',
      '[[ -n a ]]',
      '((a))',
      'X=(a b)',
      'a[$(b)]=1',
    ],
    [
      'echo $((1))',
      'echo "$((a))"',
      'echo $[1]',
      'echo ${a:-b}',
      'echo ${a@P}',
      'echo ${!a}',
      'echo ${ a; }',
    ],
    ["echo $'a'", 'echo $"a"', 'echo `a \\`b\\``', 'echo "`a "b"`"', 'echo !(a)', 'echo a<(b)', 'a 2>(b)'],
    [
      '$(a # b\n)',
      "a 'b\\\nc'",
      'a # b\\\nc',
      'a\0b',
      'a\rb',
      'a\x1bb',
      `a ${'$('.repeat(50)}b${')'.repeat(50)}`,
    ],
    [`a ${'b'.repeat(70_000)}`, '('.repeat(60_000)],
  ])('such as %j, …', (...lines) => {
    for (const line of lines) expect(splitCommand(line), line).toBeUndefined();
  });
});

const text = fc.string({ unit: fc.constantFrom(...`ab ;|&$()\`"'\\\n#{}<>*?~=!x`) });

test('a word in single quotes is one word, with any content', () => {
  fc.assert(
    fc.property(
      text.filter((word) => !word.includes('\\\n')),
      (word) => {
        const parts = splitCommand(`a '${word.replaceAll("'", `'"'"'`)}' b`);
        expect(parts).toEqual([
          {
            words: ['a', word, 'b'].map((each) => ({ text: each, isLiteral: true })),
            assignments: [],
            writes: [],
            reads: [],
          },
        ]);
      },
    ),
  );
});

test('a word with each character escaped is one word', () => {
  fc.assert(
    fc.property(
      text.filter((word) => word !== '' && !word.includes('\n')),
      (word) => {
        const parts = splitCommand(`a ${[...word].map((character) => `\\${character}`).join('')}`);
        expect(parts?.map(inShort)).toEqual([`a|${word}`]);
      },
    ),
  );
});

/** Lines that a shell may understand: commands, quotes and substitutions in each other, with some noise. */
const line = fc.letrec<{ word: string; command: string; list: string }>((tie) => ({
  word: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('a', 'b', 'x', '""', '$X', "'a;b'", "'$(a)'", '"a|b"', '\\;', '\\"', '{}'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('>f', '2>&1', '#', '!', '=', '{a,b}', '~', '*', "'`'", '"\'"', 'if', 'X=1'),
    },
    { weight: 1, arbitrary: tie('list').map((list) => `$(${list})`) },
    { weight: 1, arbitrary: tie('list').map((list) => `"x$(${list})"`) },
    { weight: 1, arbitrary: tie('list').map((list) => `\`${list}\``) },
    { weight: 1, arbitrary: tie('list').map((list) => `<(${list})`) },
  ),
  command: fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'b', 'X=y a', '! b'), fc.array(tie('word'), { maxLength: 3 }))
        .map(([name, words]) => [name, ...words].join(' ')),
    },
    { weight: 1, arbitrary: tie('list').map((list) => `(${list})`) },
    { weight: 1, arbitrary: tie('list').map((list) => `{ ${list}; }`) },
  ),
  list: fc
    .tuple(
      tie('command'),
      fc.array(fc.tuple(fc.constantFrom(';', '|', '&', '&&', '||', '\n', ' '), tie('command')), {
        maxLength: 2,
      }),
    )
    .map(([first, rest]) => first + rest.flat().join('')),
})).list;

const noise = fc.constantFrom(
  '',
  '',
  ';',
  '|',
  '&',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '\\',
  '\n',
  '(',
  '{',
  '}',
  '#',
  '$',
  '<',
  '>',
);
const noisyLine = fc.tuple(line, noise, fc.nat()).map(([given, piece, at]) => {
  const place = at % (given.length + 1);
  return given.slice(0, place) + piece + given.slice(place);
});

/** Whether a program that was run with these arguments is one of the parts. */
function isPart(run: readonly string[], part: CommandPart): boolean {
  for (let index = 0; index < Math.max(run.length, part.words.length); index++) {
    const word = part.words[index];
    if (word?.isLiteral === false) return true;
    if (word?.text !== run[index]) return false;
  }
  return true;
}

test.runIf(process.platform !== 'win32')('a shell runs nothing that is not a part', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('bin'));
  await mkdir(directory.at('cwd'));
  const log = directory.at('log');
  for (const name of ['a', 'b', 'x']) {
    const script = `#!/bin/sh\nE=$(/usr/bin/printf '\\036')\nprintf '%s\\037' "\${E}${name}" "$@" >> '${log}'\n`;
    await writeFile(directory.at('bin', name), script);
    await chmod(directory.at('bin', name), 0o755);
  }
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(noisyLine, async (given) => {
      const parts = splitCommand(given);
      fc.pre(parts !== undefined);
      await writeFile(log, '');
      const env = { PATH: directory.at('bin'), X: 'b' };
      await runCommand({
        command: '/bin/sh',
        args: ['-c', given],
        cwd: directory.at('cwd'),
        env,
        timeoutMs: 5000,
      });
      const logged = (await readFile(log, 'utf8')).split('\x1e').slice(1);
      for (const run of logged.map((entry) => entry.split('\x1f').slice(0, -1))) {
        runs++;
        expect(
          parts.some((part) => isPart(run, part)),
          JSON.stringify({ given, run }),
        ).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
  expect(runs).toBeGreaterThan(100);
});

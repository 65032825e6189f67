import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { program } from '../program.ts';

/** What `parley WORDS --help` prints, on a terminal where there is a number of columns. */
async function helpOf(words: readonly string[], columns?: number): Promise<string> {
  const stdout = Object.assign(new PassThrough(), columns === undefined ? {} : { columns });
  const rest = { stdin: new PassThrough(), stderr: new PassThrough(), env: {}, cwd: '/' };
  expect(await program([...words, '--help'], { ...rest, stdout })).toBe(0);
  stdout.end();
  return text(stdout);
}

/** The help of each command there is, by the words that lead to it. */
async function everyHelp(words: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
  const help = await helpOf(words);
  const commands = /^Commands:\n((?: {2,}.*\n)+)/mu.exec(help)?.[1] ?? '';
  const names = [...commands.matchAll(/^ {2}([\w-]+)/gmu)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
  const below = await Promise.all(names.map((name) => everyHelp([...words, name])));
  return new Map([[words.join(' '), help], ...below.flatMap((inner) => [...inner])]);
}

const every = await everyHelp();

/** The command lines of the examples: indented lines that start with "parley", up to a column of explanation. */
function examplesIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}(?:.* [|] )?(parley(?: .*)?)$/gmu)].map(([, line = '']) =>
    line.replace(/ {3,}.*$/u, '').replace(/ [|] .*$/u, ''),
  );
}

test.each([...every.keys()])('"parley %s --help" teaches by an example', (words) => {
  const notes = every.get(words)?.split('display help for command').at(-1);
  expect(notes).toContain(`parley ${words}`);
});

test.each([...every.keys()])(
  '"parley %s --help" breaks its lines between words on a narrow terminal',
  async (words) => {
    const help = await helpOf(words === '' ? [] : words.split(' '), 40);
    const long = help.split('\n').filter((line) => line.length > 40 && line.trim().includes(' '));
    expect(long).toEqual([]);
  },
);

test.each([...every.entries()].flatMap(([, help]) => examplesIn(help)))(
  'the example "%s" names a command and flags that there are',
  (line) => {
    const [before = ''] = line.split(' -- ');
    const words = before
      .replaceAll(/"[^"]*"|'[^']*'/gu, 'QUOTED')
      .split(' ')
      .slice(1);
    const path: string[] = [];
    while (words[0] !== undefined && every.has([...path, words[0]].join(' '))) path.push(words.shift() ?? '');
    expect(path.length).toBeGreaterThan(0);
    const help = every.get(path.join(' ')) ?? '';
    const flags = words.filter((word) => word.startsWith('-') && word !== '-');
    for (const flag of flags.map((word) => word.replace(/=.*$/u, ''))) {
      expect(help).toMatch(new RegExp(`^  (?:-\\w, )?${flag}\\b|^  ${flag},`, 'mu'));
    }
  },
);

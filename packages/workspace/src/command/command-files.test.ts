import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandFiles } from './command-files.ts';

const directory = '/project';

/** What a command shows, without what it does not. */
function shown(command: string | readonly string[]): object | undefined {
  const files = commandFiles(command, directory);
  const uses = Object.entries<readonly string[]>({ ...files });
  return files && Object.fromEntries(uses.filter(([, paths]) => paths.length > 0));
}

// The paths are those of POSIX, and so are the lines.
describe.skipIf(process.platform === 'win32')('the files of a command', () => {
  test.each<[string, object]>([
    ['echo x > secret/a', { written: ['/project/secret/a'] }],
    ['echo x >> "secret/a"', { written: ['/project/secret/a'] }],
    ['make 2> log < in', { written: ['/project/log'], read: ['/project/in'] }],
    ['{ a; } > out < in', { written: ['/project/out'], read: ['/project/in'] }],
    ['cp a /b', { given: ['/project/a', '/b'] }],
    ['cat a', { shown: ['/project/a'] }],
    ['sudo cat a', { given: ['/project/cat', '/project/a'] }],
    ['./run.sh', { given: ['/project/run.sh'] }],
    ['FILE=a make', { given: ['/project/a'] }],
    ['cd sub && cat ../a', { shown: ['/project/sub', '/a', '/project/a'] }],
    ["sh -c 'echo x > a'", { written: ['/project/a'], given: ['/project/-c', '/project/echo x > a'] }],
    ['ls && rm a | tee b', { given: ['/project/a', '/project/b'] }],
    ['rm $(cat a) x', { shown: ['/project/a'], given: ['/project/x'] }],
    ['cat a/*.txt "$HOME/b" ~/c $X/d', { shown: ['/project/a', join(homedir(), 'b'), join(homedir(), 'c')] }],
    ['true > $X', {}],
  ])('%s', (line, expected) => {
    expect(shown(line)).toEqual(expected);
  });

  test('values of options and settings, and what stands behind an @, are files too', () => {
    expect(shown('x --file=a -ob if=c @d')).toEqual({
      given: expect.arrayContaining(['/project/a', '/project/b', '/project/c', '/project/d']) as string[],
    });
  });

  test('words of a program and its arguments are taken as they are', () => {
    expect(shown(['cat', '~/a', '*'])).toEqual({ shown: ['/project/~/a', '/project/*'] });
  });

  test.each([
    'cat <<EOF > a\nx\nEOF',
    'eval "$X"',
    'sh -c "$X"',
    `rm ${'a '.repeat(5000)}`,
    `${'cd a; '.repeat(30)}rm b`,
  ])('the files of %s cannot be determined', (line) => {
    expect(commandFiles(line, directory)).toBeUndefined();
  });
});

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { type Files, openFiles } from '../files.ts';
import { openFilesBy, reaches } from '../reach.fixture.ts';

async function write(
  directory: TemporaryDirectory,
  texts: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(directory.at(name)), { recursive: true });
    await writeFile(directory.at(name), text);
  }
}

/** The names of the files with a match. */
async function namesWith(files: Files, pattern: string): Promise<readonly string[]> {
  const { matches } = await files.search(pattern);
  return [...new Set(matches.map((match) => path.relative(files.cwd, match.path)))];
}

describe.each(reaches)('searching by %s', (reach) => {
  test('finds lines by a regular expression, ordered by path and line', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, {
      'b/z': 'one\ntwo\nfound 1\n',
      'b/a': 'found 2\r\n\r\nfound 3',
      a: 'found',
      c: 'lost',
    });
    const files = await openFilesBy(reach, directory.path);
    expect(await files.search(String.raw`^found \d`)).toEqual({
      matches: [
        { path: directory.at('b', 'a'), line: 1, text: 'found 2' },
        { path: directory.at('b', 'a'), line: 3, text: 'found 3' },
        { path: directory.at('b', 'z'), line: 3, text: 'found 1' },
      ],
      hasMore: false,
    });
  });

  test('looks into one directory, or one file', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, { 'a/file': 'found\nx\nfound', 'b/file': 'found' });
    const files = await openFilesBy(reach, directory.path);
    const match = { path: directory.at('a', 'file'), text: 'found' };
    const expected = {
      matches: [
        { ...match, line: 1 },
        { ...match, line: 3 },
      ],
      hasMore: false,
    };
    expect(await files.search('found', { path: 'a' })).toEqual(expected);
    expect(await files.search('found', { path: 'a/file' })).toEqual(expected);
    await expect(files.search('found', { path: 'c' })).rejects.toMatchObject({
      code: 'not-found',
      path: 'c',
    });
  });

  test('stops at the limit and says that there is more', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, { file: 'x\n'.repeat(300_000) });
    const files = await openFilesBy(reach, directory.path);
    for (const [limit, count] of [
      [0, 0],
      [1, 1],
      [150, 150],
      [-5, 0],
    ] as const) {
      const { matches, hasMore } = await files.search('x', { limit });
      expect(matches).toHaveLength(count);
      expect(hasMore).toBe(true);
    }
    expect((await files.search('x')).matches).toHaveLength(200);
    expect((await files.search('x', { limit: Infinity })).matches).toHaveLength(10_000);
  });

  test('is aborted by its signal, before it begins and while it runs', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, { file: 'y\n'.repeat(3_000_000) });
    const files = await openFilesBy(reach, directory.path);
    const early = files.search('x', { signal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ code: 'aborted' });
    const controller = new AbortController();
    const late = files.search('[a-z]*x', { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(late).rejects.toMatchObject({ code: 'aborted' });
  });
});

test('only files whose names fit are counted', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, { 'a.ts': 'found', 'a.js': 'found', 'src/b.ts': 'found', 'src/deep/c.ts': 'found' });
  const files = await openFiles({ cwd: directory.path });
  const names = async (include: string, below?: string): Promise<readonly string[]> => {
    const { matches } = await files.search('found', { include, ...(below !== undefined && { path: below }) });
    return matches.map((match) => path.relative(files.cwd, match.path));
  };
  expect(await names('*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts']);
  expect(await names('src/*')).toEqual(['src/b.ts']);
  expect(await names('*.ts', 'src')).toEqual(['src/b.ts', 'src/deep/c.ts']);
  expect(await names('*.ts', 'a.js')).toEqual(['a.js']);
  expect(await files.search('found', { include: '*.js', limit: 1 })).toMatchObject({ hasMore: false });
  await expect(files.search('found', { include: '../*' })).rejects.toMatchObject({ code: 'invalid-pattern' });
});

test('plain text is searched for literally', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, { file: 'a.b(\naxb(\n-e\n$(id)' });
  const files = await openFiles({ cwd: directory.path });
  expect((await files.search('a.b(', { literal: true })).matches.map((match) => match.line)).toEqual([1]);
  expect((await files.search('-e', { literal: true })).matches.map((match) => match.line)).toEqual([3]);
  expect((await files.search('-e')).matches.map((match) => match.line)).toEqual([3]);
  expect((await files.search('$(id)', { literal: true })).matches.map((match) => match.line)).toEqual([4]);
});

test.each(['(', '[', 'a{2', '\0', 'a\nb', 'x'.repeat(70_000)])(
  'the pattern %# is invalid',
  async (pattern) => {
    await using directory = await temporaryDirectory();
    const files = await openFiles({ cwd: directory.path });
    await expect(files.search(pattern)).rejects.toMatchObject({ code: 'invalid-pattern' });
  },
);

test('hidden files are searched, what git ignores and git itself are not', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, {
    '.git/config': 'found',
    '.gitignore': 'ignored\n',
    '.hidden/file': 'found',
    'ignored/file': 'found',
    'seen/file': 'found',
  });
  const files = await openFiles({ cwd: directory.path });
  expect(await namesWith(files, 'found')).toEqual(['.hidden/file', 'seen/file']);
  expect((await files.search('found', { path: 'ignored' })).matches).toHaveLength(1);
});

test('links are not followed, binary files not shown', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, {
    'outside/file': 'found',
    'root/text': 'found',
    'root/binary': 'found\0found\nfound',
    'root/later': `${'found\n'.repeat(3)}${'x'.repeat(200_000)}\0`,
  });
  await symlink('../outside', directory.at('root', 'directory-link'));
  await symlink('../outside/file', directory.at('root', 'file-link'));
  const files = await openFiles({ cwd: directory.at('root') });
  expect(await namesWith(files, 'found')).toContain('text');
  expect(await namesWith(files, 'found')).not.toContain('file-link');
  expect(await namesWith(files, 'found')).not.toContain('binary');
  await expect(files.search('found', { path: 'binary' })).rejects.toMatchObject({ code: 'binary' });
});

test('a long line is cut around its first match, between characters', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, {
    middle: `${'a😀'.repeat(500)}found${'😀b'.repeat(500)}`,
    start: `found${'x'.repeat(1000)}`,
    end: `${'x'.repeat(1000)}found`,
    short: 'found',
  });
  const files = await openFiles({ cwd: directory.path });
  const { matches } = await files.search('found', { maxLineLength: 40 });
  const texts = Object.fromEntries(matches.map((match) => [path.basename(match.path), match.text]));
  expect(texts).toEqual({
    start: `found${'x'.repeat(35)}…`,
    end: `…${'x'.repeat(35)}found`,
    short: 'found',
    middle: expect.stringMatching(/^…(?:a?😀)+found(?:😀b?)+…$/u),
  });
});

test('a match in a line that is too long is omitted, and the result is marked incomplete', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, { a: `found${'x'.repeat(5_000_000)}`, b: 'found' });
  const files = await openFiles({ cwd: directory.path });
  expect(await files.search('found')).toEqual({
    matches: [{ path: directory.at('b'), line: 1, text: 'found' }],
    hasMore: true,
  });
});

test('lines in Latin-1 or UTF-16 and names with odd characters are found', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, {
    latin: Uint8Array.from([0x66, 0x6f, 0x75, 0x6e, 0x64, 0xe4]),
    wide: Buffer.from('\uFEFFfound €', 'utf16le'),
    'odd\nname': 'found',
    '-e': 'found',
  });
  const files = await openFiles({ cwd: directory.path });
  expect((await files.search('found')).matches).toEqual([
    { path: directory.at('-e'), line: 1, text: 'found' },
    { path: directory.at('latin'), line: 1, text: 'found\uFFFD' },
    { path: directory.at('odd\nname'), line: 1, text: 'found' },
    { path: directory.at('wide'), line: 1, text: 'found €' },
  ]);
});

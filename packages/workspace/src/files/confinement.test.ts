import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkspaceError } from '../error.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../temporary-directory.fixture.ts';
import { type Files, openFiles } from './files.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';

/** A root, a place outside of it that nothing may touch, and links in the root of every kind. */
async function layOut(directory: TemporaryDirectory): Promise<{ root: string; outside: string }> {
  const root = directory.at('root');
  const outside = directory.at('root-neighbour');
  await mkdir(path.join(root, 'sub', 'deep'), { recursive: true });
  await mkdir(path.join(outside, 'sub'), { recursive: true });
  await writeFile(path.join(root, 'file'), 'inside');
  await writeFile(path.join(root, 'sub', 'file'), 'inside');
  await writeFile(path.join(outside, 'file'), 'secret');
  await writeFile(path.join(outside, 'sub', 'file'), 'secret');
  const links = {
    'to-file': '../root-neighbour/file',
    'to-directory': outside,
    'to-nothing': '../root-neighbour/new',
    'to-nothing-deep': '../root-neighbour/new/deeper',
    'to-parent': '..',
    'to-link': 'to-directory',
    'to-itself': 'to-itself',
    'to-and-fro': '../root/sub',
    inside: 'sub',
    'inside-file': 'sub/file',
    'inside-nothing': 'sub/new',
    'sub/up': '..',
    'sub/out': '../../root-neighbour',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name));
  return { root, outside };
}

/** Each file below a directory, with its text. */
async function snapshot(directory: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    found[path.relative(directory, full)] = entry.isFile() ? await readFile(full, 'utf8') : '';
  }
  return found;
}

const operations: Readonly<Record<string, (files: Files, given: string) => Promise<unknown>>> = {
  resolve: (files, given) => files.resolve(given),
  readText: (files, given) => files.readText(given),
  writeText: (files, given) => files.writeText(given, 'changed'),
  list: (files, given) => files.list(given),
  search: (files, given) => files.search('.', { path: given }),
  remove: (files, given) => files.remove(given),
  'move from': (files, given) => files.move(given, 'moved'),
  'move to': (files, given) => files.move('file', given),
};

const waysOut = [
  '../root-neighbour/file',
  '../root-neighbour/new',
  '../root-neighbour',
  'sub/../../root-neighbour/file',
  'missing/../../root-neighbour/file',
  'to-directory/file',
  'to-directory/new',
  'to-directory/new/deeper',
  'to-directory/sub/file',
  'to-link/file',
  'to-nothing/new',
  'to-parent/root-neighbour/file',
  'sub/out/file',
  'inside/out/file',
  '/etc/passwd',
  '..',
];

describe.each(reaches)('by %s', (reach) => {
  test.each(Object.keys(operations))('%s refuses every way out', async (name) => {
    await using directory = await temporaryDirectory();
    const { root, outside } = await layOut(directory);
    const files = await openFilesBy(reach, root);
    const before = await snapshot(outside);
    for (const given of [...waysOut, path.join(outside, 'file'), `${root}-neighbour/file`]) {
      const code = given === '..' && (name === 'remove' || name === 'move from') ? 'denied' : 'outside';
      const refused = expect(operations[name]?.(files, given), given).rejects;
      await refused.toMatchObject({
        name: 'WorkspaceError',
        code: given === '..' && name === 'move to' ? 'denied' : code,
        path: given,
      });
    }
    expect(await snapshot(outside)).toEqual(before);
  });

  test.each(['resolve', 'readText', 'writeText', 'list', 'search'])(
    '%s follows no link out',
    async (name) => {
      await using directory = await temporaryDirectory();
      const { root, outside } = await layOut(directory);
      const files = await openFilesBy(reach, root);
      const before = await snapshot(outside);
      for (const given of [
        'to-file',
        'to-directory',
        'to-nothing',
        'to-nothing-deep',
        'to-parent',
        'to-link',
      ]) {
        await expect(operations[name]?.(files, given), given).rejects.toMatchObject({ code: 'outside' });
      }
      expect(await snapshot(outside)).toEqual(before);
    },
  );

  test('nothing outside is read or changed, by any path', async () => {
    await using directory = await temporaryDirectory();
    const { root, outside } = await layOut(directory);
    const files = await openFilesBy(reach, root, [path.join(root, 'sub')]);
    const before = await snapshot(outside);
    const names =
      '.. . file sub deep up out missing to-file to-directory to-nothing to-parent to-link to-itself ' +
      'to-and-fro inside inside-nothing root-neighbour root';
    const paths = fc
      .tuple(
        fc.constantFrom('', '/', `${root}/`, `${outside}/`),
        fc.array(fc.constantFrom('', ...names.split(' ')), { maxLength: 6 }),
      )
      .map(([start, segments]) => start + segments.join('/'));
    const attempts = fc.array(fc.tuple(fc.constantFrom(...Object.keys(operations)), paths), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(attempts, async (sequence) => {
        for (const [name, given] of sequence) {
          const result = await operations[name]?.(files, given).catch((error: unknown) => {
            expect(error).toBeInstanceOf(WorkspaceError);
          });
          expect(JSON.stringify(result ?? null)).not.toContain('secret');
        }
      }),
      { numRuns: 100 },
    );
    expect(await snapshot(outside)).toEqual(before);
  });

  test('links inside are followed, relative and absolute paths are the same', async () => {
    await using directory = await temporaryDirectory();
    const { root } = await layOut(directory);
    const files = await openFilesBy(reach, root);
    const real = path.join(root, 'sub', 'file');
    for (const given of [
      'inside-file',
      'inside/file',
      'to-and-fro/file',
      'sub/up/sub/file',
      './sub//file',
      real,
    ]) {
      expect(await files.resolve(given), given).toBe(real);
      expect(await files.readText(given), given).toMatchObject({ path: real, text: 'inside' });
    }
    expect(await files.resolve('inside-nothing')).toBe(path.join(root, 'sub', 'new'));
    expect(await files.resolve('missing/../file')).toBe(path.join(root, 'file'));
    expect(await files.resolve('sub/not/yet')).toBe(path.join(root, 'sub', 'not', 'yet'));
  });

  test('a link that goes in a circle is an invalid path', async () => {
    await using directory = await temporaryDirectory();
    const { root } = await layOut(directory);
    const files = await openFilesBy(reach, root);
    await expect(files.readText('to-itself')).rejects.toMatchObject({ code: 'invalid-path' });
    await expect(files.writeText('to-itself/new', '')).rejects.toMatchObject({ code: 'invalid-path' });
  });

  test('a removed root is not created again, and nothing is written in its place', async () => {
    await using directory = await temporaryDirectory();
    const { root, outside } = await layOut(directory);
    const files = await openFilesBy(reach, root);
    await rm(root, { recursive: true });
    await expect(files.writeText('new/file', 'x')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.readText('file')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.list('.')).rejects.toMatchObject({ code: 'not-found' });
    await symlink(outside, root);
    await expect(files.readText('file')).rejects.toMatchObject({ code: 'outside' });
    await expect(files.writeText('file', 'x')).rejects.toMatchObject({ code: 'outside' });
    expect(await readdir(directory.path)).toEqual(['root', 'root-neighbour']);
  });
});

test('a root may be given by a link, and be reached through it', async () => {
  await using directory = await temporaryDirectory();
  const { root } = await layOut(directory);
  await symlink(root, directory.at('link'));
  const files = await openFiles({ cwd: directory.at('link'), directories: [root] });
  expect(files.cwd).toBe(root);
  expect(files.directories).toEqual([root]);
  expect((await files.readText(directory.at('link', 'file'))).text).toBe('inside');
});

test('further roots are reached by absolute paths and by relative ones', async () => {
  await using directory = await temporaryDirectory();
  const { root, outside } = await layOut(directory);
  const files = await openFiles({ cwd: root, directories: [outside, path.join(root, 'sub')] });
  expect(files.directories).toEqual([root, outside, path.join(root, 'sub')]);
  expect((await files.readText(path.join(outside, 'file'))).text).toBe('secret');
  expect((await files.readText('../root-neighbour/file')).text).toBe('secret');
  expect((await files.readText('to-file')).text).toBe('secret');
  await expect(files.readText('../other')).rejects.toMatchObject({ code: 'outside' });
});

test('the file system itself can be the root', async () => {
  const files = await openFiles({ cwd: path.parse(process.cwd()).root });
  expect(await files.resolve(import.meta.filename)).toBe(import.meta.filename);
  await expect(files.remove('.')).rejects.toMatchObject({ code: 'denied' });
});

test('a root must be an absolute path to a directory', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), '');
  await expect(openFiles({ cwd: 'relative' })).rejects.toMatchObject({
    code: 'not-absolute',
    path: 'relative',
  });
  await expect(openFiles({ cwd: directory.path, directories: ['./x'] })).rejects.toMatchObject({
    code: 'not-absolute',
  });
  await expect(openFiles({ cwd: directory.at('missing') })).rejects.toMatchObject({ code: 'not-found' });
  await expect(openFiles({ cwd: directory.at('file') })).rejects.toMatchObject({ code: 'not-a-directory' });
});

test.each(['', 'a\0b', 'x'.repeat(300), 'x/'.repeat(4000)])(
  'no file system holds the path %#',
  async (given) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), '');
    const files = await openFiles({ cwd: directory.path });
    for (const [name, operation] of Object.entries(operations)) {
      if (name === 'resolve' && given.length === 300) continue;
      await expect(operation(files, given), name).rejects.toMatchObject({ code: 'invalid-path' });
    }
    expect(await readdir(directory.path)).toEqual(['file']);
  },
);

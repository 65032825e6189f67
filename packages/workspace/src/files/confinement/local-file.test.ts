import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { readText } from '../read-text.ts';
import { findNow, readNow } from './local-file.ts';
import { LocalFolders } from './local-folders.ts';
import { locate } from './locate.ts';
import { createRequest } from './request.ts';
import { openRoots } from './roots.ts';

/** Known folders, by a clock that stands still: no look is slow. */
async function learnt(...folders: readonly string[]): Promise<LocalFolders> {
  const known = new LocalFolders(() => 0);
  for (const folder of folders) await known.learn(folder);
  return known;
}

/** A root with links of every kind, and a place outside of it. */
async function layOut(directory: TemporaryDirectory): Promise<string> {
  const root = directory.at('root');
  await mkdir(path.join(root, 'sub', 'deep'), { recursive: true });
  await mkdir(directory.at('outside'));
  for (const file of ['root/file', 'root/sub/file', 'outside/file']) {
    await writeFile(directory.at(...file.split('/')), file);
  }
  const links = {
    out: '../outside',
    'out-file': '../outside/file',
    in: 'sub',
    'in-file': 'file',
    none: 'new',
    'sub/up': '..',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name));
  return root;
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('a synchronous look finds the same as an asynchronous one, or leaves it to that', async () => {
    await using directory = await temporaryDirectory();
    const root = await layOut(directory);
    const roots = await openRoots(root, []);
    const slow = { ...roots, reach: 'path' } as const;
    const names = 'file sub deep up out out-file in in-file none new .. .'.split(' ');
    const given = fc.array(fc.constantFrom(...names), { maxLength: 4 }).map((parts) => parts.join('/'));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(given, async (name) => {
        const full = path.resolve(root, name);
        // A known folder does not make up for links in the path to it.
        const known = await learnt(path.dirname(full));
        const now = findNow(full, known);
        if (now === undefined) return;
        found += 1;
        const request = createRequest(slow, 'read', full);
        const location = await locate(request).catch((error: unknown) => error);
        if (full.startsWith(root)) {
          expect(location).toEqual(
            now === 'real'
              ? { real: full, missing: [] }
              : { real: path.dirname(full), missing: [path.basename(full)] },
          );
        } else expect(location).toMatchObject({ code: 'outside' });
        const bytes = readNow(full, known);
        if (bytes === 'missing') expect(now).toBe('missing');
        else if (bytes !== undefined && full.startsWith(root)) {
          expect((await readText({}, request)).text).toBe(bytes.toString());
        }
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(0);
  });

  test('a path through a link is left to the asynchronous look, also if its folder was a real one before', async () => {
    await using directory = await temporaryDirectory();
    const root = await layOut(directory);
    const known = await learnt(path.join(root, 'sub'), root);
    const file = path.join(root, 'sub', 'file');
    expect(findNow(file, known)).toBe('real');
    expect(readNow(file, known)?.toString()).toBe('root/sub/file');
    await rename(path.join(root, 'sub'), path.join(root, 'aside'));
    await symlink(directory.at('outside'), path.join(root, 'sub'));
    expect(findNow(file, known)).toBeUndefined();
    expect(findNow(path.join(root, 'sub', 'new'), known)).toBeUndefined();
    expect(readNow(file, known)).toBeUndefined();
    expect(readNow(path.join(root, 'in-file'), known)).toBeUndefined();
    await rm(path.join(root, 'sub'));
    expect(findNow(file, known)).toBeUndefined();
  });

  test('only a small regular file is read, and a FIFO is not opened', async () => {
    await using directory = await temporaryDirectory();
    const known = await learnt(directory.path);
    await writeFile(directory.at('small'), 'x'.repeat(64 * 1024));
    await writeFile(directory.at('large'), 'x'.repeat(64 * 1024 + 1));
    execFileSync('mkfifo', [directory.at('fifo')]);
    expect(readNow(directory.at('small'), known)).toHaveLength(64 * 1024);
    expect(readNow(directory.at('large'), known)).toBeUndefined();
    expect(readNow(directory.at('fifo'), known)).toBeUndefined();
    expect(readNow(directory.at('missing'), known)).toBe('missing');
    expect(readNow(directory.path, await learnt(path.dirname(directory.path)))).toBeUndefined();
  });

  test('a folder that is not known, or on no disk, is left to the asynchronous look', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), '');
    expect(findNow(directory.at('file'), await learnt())).toBeUndefined();
    expect(findNow('/proc/self', await learnt('/proc'))).toBeUndefined();
    expect(findNow(directory.at('file'), await learnt(directory.path))).toBe('real');
  });

  test('after a slow look, files are looked at asynchronously for ten seconds', async () => {
    await using directory = await temporaryDirectory();
    let time = 0;
    const known = new LocalFolders(() => time);
    await known.learn(directory.path);
    const look = (ms: number): string | undefined =>
      known.look(directory.path, () => {
        time += ms;
        return 'done';
      });
    expect(look(20)).toBe('done');
    expect(look(21)).toBe('done');
    time += 9_999;
    expect(look(0)).toBeUndefined();
    time += 1;
    expect(look(0)).toBe('done');
  });
});

test('what a synchronous look cannot do is left to the asynchronous one', async () => {
  await using directory = await temporaryDirectory();
  const known = await learnt(directory.path);
  const fails = (): never => {
    throw new Error('EACCES');
  };
  expect(known.look(directory.path, fails)).toBeUndefined();
});

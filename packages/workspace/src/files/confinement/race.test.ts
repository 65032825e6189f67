import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WorkspaceError } from '../../error.ts';
import type { ProcessGroup } from '../../process/process-group.ts';
import { startProcess } from '../../process/start-process.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import type { Files } from '../files.ts';
import { openFilesBy, reaches } from '../reach.fixture.ts';

/** Swaps `root/swap` for a link to `outside`, and back, each time after a moment of another length. */
const swapper = `
  const fs = require('fs');
  const attempt = (act) => { try { act(); } catch {} };
  const linger = () => { const until = performance.now() + Math.random() / 4; while (performance.now() < until); };
  console.log('ready');
  for (;;) {
    linger();
    attempt(() => fs.renameSync('root/swap', 'root/aside'));
    attempt(() => fs.symlinkSync('../outside', 'root/swap'));
    linger();
    attempt(() => fs.unlinkSync('root/swap'));
    attempt(() => fs.rmSync('root/swap', { recursive: true }));
    attempt(() => fs.renameSync('root/aside', 'root/swap'));
  }`;

const rounds = 150;
let directory: TemporaryDirectory;
let swapping: ProcessGroup;

beforeEach(async () => {
  directory = await temporaryDirectory();
  await mkdir(directory.at('root', 'swap'), { recursive: true });
  await mkdir(directory.at('outside'));
  await writeFile(directory.at('root', 'swap', 'file'), 'inside');
  await writeFile(directory.at('outside', 'file'), 'secret');
  swapping = await startProcess({ command: process.execPath, args: ['-e', swapper], cwd: directory.path });
  await new Promise((resolve) => swapping.stdout.once('data', resolve));
});

afterEach(async () => {
  swapping.kill();
  await swapping.end();
  await directory[Symbol.asyncDispose]();
});

/** Tries again and again; counts how often it worked. */
async function insist(act: (round: number) => Promise<unknown>): Promise<number> {
  let worked = 0;
  for (let round = 0; round < rounds; round++) {
    try {
      await act(round);
      worked++;
    } catch (error) {
      expect(error).toBeInstanceOf(WorkspaceError);
    }
  }
  return worked;
}

describe.runIf(reaches.includes('descriptor'))('while a directory is swapped for a link to outside', () => {
  let files: Files;

  beforeEach(async () => {
    files = await openFilesBy('descriptor', directory.at('root'));
  });

  test('nothing outside is read', async () => {
    const read = async (): Promise<void> => {
      expect((await files.readText('swap/file')).text).toBe('inside');
    };
    // On a busy machine the swapper may be in the way for long.
    while ((await insist(read)) === 0);
  });

  test('nothing outside is created, removed, moved or replaced', async () => {
    await insist((round) => files.writeText(`swap/new-${round}/file`, 'x'));
    await insist((round) => files.writeText('swap/file', `round ${round}`));
    await insist(() => files.remove('swap/file'));
    await insist((round) => files.move('swap/file', `taken-${round}`));
    await insist(async (round) => {
      await files.writeText('mine', 'mine');
      await files.move('mine', `swap/given-${round}`);
    });
    expect(await readdir(directory.at('outside'))).toEqual(['file']);
    expect(await readFile(directory.at('outside', 'file'), 'utf8')).toBe('secret');
  });

  test('nothing outside is listed or searched', async () => {
    await writeFile(directory.at('outside', 'only-outside'), 'secret');
    await insist(async () => {
      const { entries } = await files.list('swap');
      expect(entries.map((entry) => entry.name)).not.toContain('only-outside');
    });
    for (let round = 0; round < rounds / 5; round++) {
      const found = await files.search('secret', { path: 'swap' }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(WorkspaceError);
      });
      expect(found?.matches ?? []).toEqual([]);
    }
  });
});

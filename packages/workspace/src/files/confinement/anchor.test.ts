import { constants } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { reaches } from '../reach.fixture.ts';
import { openAnchor } from './anchor.ts';
import { type FileRequest, createRequest } from './request.ts';
import { type Reach, openRoots } from './roots.ts';

/** A root with a directory, and beside it one of the same content that must not be reached. */
async function layOut(directory: TemporaryDirectory, reach: Reach): Promise<FileRequest> {
  for (const place of [directory.at('root', 'sub'), directory.at('outside')]) {
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'file'), path.basename(place));
  }
  return createRequest({ ...(await openRoots(directory.at('root'), [])), reach }, 'read', 'sub/file');
}

async function swapForLink(directory: TemporaryDirectory): Promise<void> {
  await rename(directory.at('root', 'sub'), directory.at('root', 'aside'));
  await symlink(directory.at('outside'), directory.at('root', 'sub'));
}

describe.each(reaches)('by %s', (reach) => {
  test('a directory outside is not opened', async () => {
    await using directory = await temporaryDirectory();
    const request = await layOut(directory, reach);
    await expect(openAnchor(directory.at('outside'), request)).rejects.toMatchObject({ code: 'outside' });
    await expect(openAnchor(directory.path, request)).rejects.toMatchObject({ code: 'outside' });
  });

  test('a directory that became a link since it was found is not opened', async () => {
    await using directory = await temporaryDirectory();
    const request = await layOut(directory, reach);
    await swapForLink(directory);
    await expect(openAnchor(directory.at('root', 'sub'), request)).rejects.toBeInstanceOf(Error);
  });

  test('no file is opened through a link', async () => {
    await using directory = await temporaryDirectory();
    const request = await layOut(directory, reach);
    await symlink('file', directory.at('root', 'sub', 'link'));
    await using anchor = await openAnchor(directory.at('root', 'sub'), request);
    await expect(anchor.open('link', constants.O_RDONLY)).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

test.runIf(reaches.includes('descriptor'))(
  'an open directory stays the one it was, by descriptor',
  async () => {
    await using directory = await temporaryDirectory();
    const request = await layOut(directory, 'descriptor');
    await using anchor = await openAnchor(directory.at('root', 'sub'), request);
    await swapForLink(directory);
    await using file = await anchor.open('file', constants.O_RDONLY);
    expect(await file.readFile('utf8')).toBe('sub');
  },
);

test('a file in a directory that was swapped for a link is closed again, by path', async () => {
  await using directory = await temporaryDirectory();
  const request = await layOut(directory, 'path');
  await using anchor = await openAnchor(directory.at('root', 'sub'), request);
  await swapForLink(directory);
  await expect(anchor.open('file', constants.O_RDONLY)).rejects.toMatchObject({ code: 'outside' });
});

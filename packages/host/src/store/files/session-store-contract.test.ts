import { stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionStoreContract, fullDisk, type SessionStorage } from '@parley/conformance';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { filesStore } from './files-store.ts';

test.each(sessionStoreContract.map((each) => [each.id, each.title, each] as const))(
  '%s: %s',
  async (_id, _title, { check, needsDisk }) => {
    const directory = await temporaryFolder();
    const inFolder = (key: string, name: string): string => join(directory, key, name);
    const place: SessionStorage = {
      open: () => filesStore(directory),
      // As a process leaves it that is gone: the next one takes it away.
      loseLease: (key) => writeFile(inFolder(key, 'journal.lock'), '{"pid":2147483647}'),
      tear: async (key) => {
        const file = inFolder(key, 'journal.jsonl');
        await truncate(file, (await stat(file)).size - 5);
      },
    };
    if (needsDisk !== true) {
      await check(place);
      return;
    }
    await writeFile(join(directory, 'any'), '');
    await using disk = await fullDisk(join(directory, 'any'));
    await check({ ...place, disk });
    expect(disk.isFull).toBe(false);
  },
  60_000,
);

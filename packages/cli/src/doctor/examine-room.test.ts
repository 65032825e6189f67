import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { examineRoom, judgeRoom } from './examine-room.ts';

test.each([
  [0, 'problem', '0 MB'],
  [49_999_999, 'problem', '49 MB'],
  [50_000_000, 'note', '50 MB'],
  [499_999_999, 'note', '499 MB'],
  [500_000_000, 'ok', '500 MB'],
])('%i bytes that are free: %s', (bytes, level, text) => {
  const found = judgeRoom('/state', bytes);
  expect(found.level).toBe(level);
  expect(found.message).toContain(`${text} are free for /state`);
});

test('free disk space comes from the system; a missing folder is reported separately', async () => {
  await using folder = await temporaryFolder();
  expect(await examineRoom(folder.path)).toMatchObject([{ topic: 'room' }]);
  expect(await examineRoom(path.join(folder.path, 'none'))).toEqual([]);
});

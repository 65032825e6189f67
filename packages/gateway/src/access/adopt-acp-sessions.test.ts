import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesStore } from '@parley/host';
import { openLog } from '@parley/workspace';
import { expect, onTestFinished, test } from 'vitest';
import { adoptAcpSessions } from './adopt-acp-sessions.ts';

async function folder(): Promise<string> {
  const made = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-adopt-')));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

test('sessions of remote ACP are converted to sessions of the hub once, with their ids and owners', async () => {
  const place = await folder();
  const file = path.join(place, 'acp-owners.jsonl');
  const store = filesStore(path.join(place, 'event-logs'));
  // As the version before wrote it.
  const log = await openLog(file, { format: { name: 'acp-owners', version: 1 } });
  log.append({ agent: 'one', id: 'plain-id', owner: 'token:a', cwd: place });
  log.append({ agent: 'one', id: 'with/slash', owner: 'token:b', cwd: place });
  log.append({ agent: 'one', id: 'deleted', owner: 'token:a', cwd: place });
  log.append({ agent: 'one', id: 'deleted' });
  await log.close();

  expect(await adoptAcpSessions(file, { store, program: 'test 1' })).toBe(2);

  const heads = await store.list();
  expect(heads.map(({ sessionId, start }) => [sessionId, start.owner, start.agent, start.cwd])).toEqual(
    expect.arrayContaining([
      ['plain-id', { tokenId: 'token:a' }, 'one', place],
      ['with/slash', { tokenId: 'token:b' }, 'one', place],
    ]),
  );
  expect(heads).toHaveLength(2);
  expect(await store.head('plain-id')).toBeDefined();
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await adoptAcpSessions(file, { store, program: 'test 1' })).toBe(0);
});

test('a damaged file stays, and the start fails', async () => {
  const place = await folder();
  const file = path.join(place, 'acp-owners.jsonl');
  await writeFile(file, 'not a log\n');

  await expect(
    adoptAcpSessions(file, { store: filesStore(path.join(place, 'event-logs')), program: 'test 1' }),
  ).rejects.toThrow(file);
  await stat(file);
});

import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionIndex } from '../session-index.ts';
import { createSessionKey } from '../session-key.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { eventLogFile } from './event-log-file.ts';
import { filesStore } from './files-store.ts';

/** Long before anything happened lately. */
const longAgo = new Date('2020-01-01');

/** An event log from long ago. Returns its key. */
async function keep(directory: string): Promise<string> {
  const key = createSessionKey();
  const eventLog = await filesStore(directory).open(key, {
    start: { agent: 'scripted', cwd: '/', program: 'test 1' },
    onFailure: (error) => {
      throw error;
    },
  });
  await eventLog[Symbol.asyncDispose]();
  await utimes(join(directory, key), longAgo, longAgo);
  return key;
}

/** As many glances as it takes to look at all of them. */
async function glanceAtAll(sessions: SessionIndex): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await sessions.glance();
}

test('an old session that another program resumes is noticed, with each new event', async () => {
  const directory = await temporaryFolder();
  const key = await keep(directory);
  const changes: string[] = [];
  const sessions = filesStore(directory).index((changed) => changes.push(changed));
  await sessions.look();
  await glanceAtAll(sessions);
  expect(changes).toEqual([key]);

  const lock = join(directory, key, 'journal.lock');
  await writeFile(lock, JSON.stringify({ pid: process.ppid }));
  await glanceAtAll(sessions);
  expect(sessions.get(key)).toMatchObject({ isElsewhere: true });
  expect(changes).toEqual([key, key]);

  const later = new Date('2021-01-01');
  await utimes(eventLogFile(join(directory, key)), later, later);
  await sessions.glance();
  expect(sessions.get(key)).toMatchObject({ updatedAt: later.getTime() });

  await rm(lock);
  await sessions.glance();
  expect(sessions.get(key)).toMatchObject({ isElsewhere: false });
  await sessions.settled();
});

test('new and removed sessions are noticed at the first read', async () => {
  const directory = await temporaryFolder();
  const sessions = filesStore(directory).index(() => {});
  await sessions.look();

  const key = await keep(directory);
  await sessions.glance();
  expect(sessions.all.map((session) => session.key)).toEqual([key]);

  await rm(join(directory, key), { recursive: true });
  await sessions.glance();
  expect(sessions.all).toEqual([]);
  await sessions.settled();
});

test('an event log that cannot be read is read again only when it, or its folder, looks different', async () => {
  const directory = await temporaryFolder();
  const key = await keep(directory);
  const file = eventLogFile(join(directory, key));
  const readable = await readFile(file);
  /** Writes the event log in place: neither its length nor any time shows that it is another one. */
  const write = async (content: Uint8Array): Promise<void> => {
    await writeFile(file, content);
    await utimes(file, longAgo, longAgo);
  };
  await write(readable.map(() => 0x20));
  const sessions = filesStore(directory).index(() => {});
  await sessions.look();

  await write(readable);
  await glanceAtAll(sessions);
  expect(sessions.all).toEqual([]);

  const later = new Date('2021-01-01');
  await utimes(file, later, later);
  await sessions.glance();
  expect(sessions.get(key)).toMatchObject({ key });
  await sessions.settled();
});

import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJournalKey, journalFile, openJournal } from '@parley/host';
import { expect, test } from 'vitest';
import { KeptSessions } from '../../src/desk/kept-sessions.ts';
import { folder } from '../scripted-agent.ts';

/** Long before anything happened lately. */
const longAgo = new Date('2020-01-01');

/** A journal that somebody kept long ago. Gives its key. */
async function keep(directory: string): Promise<string> {
  const key = createJournalKey();
  const kept = join(directory, key);
  const journal = await openJournal(kept, {
    start: { key, agent: 'scripted', cwd: '/', program: 'test 1' },
    onFailure: (error) => {
      throw error;
    },
  });
  await journal[Symbol.asyncDispose]();
  await utimes(kept, longAgo, longAgo);
  return key;
}

/** As many glances as it takes to look at all of them. */
async function glanceAtAll(sessions: KeptSessions): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await sessions.glance();
}

test('a session from long ago that another program takes up is seen, and each event of it from then on', async () => {
  const directory = await folder();
  const key = await keep(directory);
  const told: string[] = [];
  const sessions = new KeptSessions(directory, (changed) => told.push(changed));
  await sessions.look();
  await glanceAtAll(sessions);
  expect(told).toEqual([key]);

  const lock = join(directory, key, 'journal.lock');
  await writeFile(lock, JSON.stringify({ pid: process.ppid }));
  await glanceAtAll(sessions);
  expect(sessions.get(key)).toMatchObject({ isElsewhere: true });
  expect(told).toEqual([key, key]);

  const later = new Date('2021-01-01');
  await utimes(journalFile(join(directory, key)), later, later);
  await sessions.glance();
  expect(sessions.get(key)).toMatchObject({ updatedAt: later.getTime() });

  await rm(lock);
  await sessions.glance();
  expect(sessions.get(key)).toMatchObject({ isElsewhere: false });
  await sessions.settled();
});

test('a session that is new, or is gone, is seen at the first glance', async () => {
  const directory = await folder();
  const sessions = new KeptSessions(directory, () => {});
  await sessions.look();

  const key = await keep(directory);
  await sessions.glance();
  expect(sessions.all.map((session) => session.key)).toEqual([key]);

  await rm(join(directory, key), { recursive: true });
  await sessions.glance();
  expect(sessions.all).toEqual([]);
  await sessions.settled();
});

test('a journal that cannot be read is read again only when it, or its folder, looks different', async () => {
  const directory = await folder();
  const key = await keep(directory);
  const file = journalFile(join(directory, key));
  const readable = await readFile(file);
  /** Writes the journal in place: neither its length nor any time tells that it is another one. */
  const write = async (content: Uint8Array): Promise<void> => {
    await writeFile(file, content);
    await utimes(file, longAgo, longAgo);
  };
  await write(readable.map(() => 0x20));
  const sessions = new KeptSessions(directory, () => {});
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

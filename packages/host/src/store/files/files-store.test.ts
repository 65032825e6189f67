import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { takeLock } from '@parley/workspace';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { LoggedEntry, LoggedEvent } from '../../event/logged-event.ts';
import type { EventLog } from '../event-log.ts';
import { findSession } from '../find-session.ts';
import type { SessionStore } from '../session-store.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { filesStore } from './files-store.ts';

const start = { agent: 'test', cwd: '/project', program: 'test 1' };

function chunk(message: string): LoggedEntry {
  const content = { type: 'text', text: message };
  return { type: 'update', update: { sessionUpdate: 'agent_message_chunk', content } };
}

function fail(error: Error): never {
  throw error;
}

async function openAt(
  folder: string,
): Promise<{ readonly eventLog: EventLog; readonly events: LoggedEvent[] }> {
  const events: LoggedEvent[] = [];
  const eventLog = await filesStore(dirname(folder)).open(basename(folder), {
    start,
    onFailure: fail,
    onEvent: (event) => void events.push(event),
  });
  return { eventLog, events };
}

async function readAll(folder: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  await filesStore(dirname(folder)).read(basename(folder), (event) => void events.push(event));
  return events;
}

/** Follows an event log until the test has ended: then its file is closed. */
function followed(
  folder: string,
  after: number,
): { readonly parts: ReturnType<SessionStore['follow']>; readonly enough: AbortController } {
  const enough = new AbortController();
  const parts = filesStore(dirname(folder)).follow(basename(folder), { signal: enough.signal, after });
  onTestFinished(async () => {
    enough.abort();
    await parts.return();
  });
  return { parts, enough };
}

test('appended events are read back, numbered from 1 without gaps, across several openings', async () => {
  const folder = await temporaryFolder();
  const written: LoggedEvent[] = [];
  for (const round of [1, 2, 3]) {
    const { eventLog } = await openAt(folder);
    for (const part of ['a', 'b']) written.push(eventLog.append(chunk(`${part}${String(round)}`)));
    await eventLog.close();
  }
  const events = await readAll(folder);
  expect(events.slice(1)).toEqual(written);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(events[0]).toMatchObject({ type: 'journal-start', ...start });
});

const about = { sessionId: 's', turnId: 't' };
const write = { sessionId: 's', toolCallId: 'c', path: '/project/a' };

test.each<[string, LoggedEntry]>([
  ['the start of a turn', { type: 'turn-start', ...about, prompt: [] }],
  ['the end of a turn', { type: 'turn-end', ...about, stopReason: 'end_turn' }],
  ['a file written', { type: 'file-write', ...write, before: { kind: 'none' }, after: { kind: 'none' } }],
])('%s is put on the disk without waiting for the end of the event log', async (_what, landmark) => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  await using anyFile = await open(join(folder, 'any'), 'w');
  const handles: FileHandle = Object.getPrototypeOf(anyFile);
  const datasync = vi.spyOn(handles, 'datasync');
  onTestFinished(() => {
    datasync.mockRestore();
  });

  eventLog.append(landmark);

  await expect.poll(() => datasync.mock.settledResults.length).toBe(1);
  expect((await readAll(folder)).at(-1)).toMatchObject(landmark);
  await eventLog.close();
});

test('the end of a turn and the event after it are written together', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  await using anyFile = await open(join(folder, 'any'), 'w');
  const handles: FileHandle = Object.getPrototypeOf(anyFile);
  const datasync = vi.spyOn(handles, 'datasync');
  onTestFinished(() => {
    datasync.mockRestore();
  });

  eventLog.append({ type: 'turn-end', ...about, stopReason: 'end_turn' });
  await eventLog.appendNow({ type: 'aap', records: [] }, { isDurable: true });
  expect(datasync.mock.settledResults).toHaveLength(1);
  await eventLog.close();

  expect(datasync.mock.settledResults).toHaveLength(1);
  expect((await readAll(folder)).slice(-2)).toMatchObject([{ type: 'turn-end' }, { type: 'aap' }]);
});

test('any update is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (updates) => {
      const folder = await temporaryFolder();
      const { eventLog } = await openAt(folder);
      for (const update of updates) eventLog.append({ type: 'update', update });
      await eventLog.close();
      const [, ...events] = await readAll(folder);
      const read = events.map((event) => (event.type === 'update' ? event.update : event));
      expect(JSON.stringify(read)).toBe(JSON.stringify(updates));
    }),
    { numRuns: 20 },
  );
});

test('an update with known text is written with it, and read like any other', async () => {
  const folder = await temporaryFolder();
  const { eventLog, events } = await openAt(folder);
  const known = '{"sessionUpdate":"agent_message_chunk", "n":1e2}';
  const update: unknown = JSON.parse(known);
  eventLog.append({ type: 'update', update }, known);
  eventLog.append({ type: 'update', update, late: true }, known);
  eventLog.append({ type: 'update', update, late: true, replay: true }, known);
  await eventLog.close();
  expect(await readFile(join(folder, 'journal.jsonl'), 'utf8')).toContain(
    `"type":"update","update":${known}}}`,
  );
  const read = await readAll(folder);
  expect(read).toEqual(events);
  expect(read.slice(1)).toMatchObject([{ update }, { update, late: true }, { late: true, replay: true }]);
});

test('an event log truncated at any byte of its last 4 KB opens with all complete events', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(join(folder, 'whole'));
  for (let number = 0; number < 40; number += 1) eventLog.append(chunk('ä'.repeat(number * 3)));
  await eventLog.close();
  const bytes = await readFile(join(folder, 'whole', 'journal.jsonl'));
  const whole = await readAll(join(folder, 'whole'));
  const ends: number[] = [];
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', end + 1)) ends.push(end + 1);

  async function tearAt(size: number): Promise<void> {
    const torn = join(folder, String(size));
    await mkdir(torn);
    await writeFile(join(torn, 'journal.jsonl'), bytes.subarray(0, size));
    const { eventLog: opened, events } = await openAt(torn);
    const lines = ends.filter((end) => end <= size).length;
    expect(events.filter(({ type }) => type !== 'interruption')).toEqual(whole.slice(0, lines - 1));
    expect(opened.lost).toEqual({ tailBytes: size - (ends[lines - 1] ?? 0), damagedLines: 0 });
    await opened.close();
  }

  for (let from = bytes.length - 4096; from < bytes.length; from += 64) {
    await Promise.all(Array.from({ length: 64 }, (_, index) => tearAt(from + index)));
  }
  expect(bytes.length).toBeGreaterThan(4096);
});

test('truncated and pending events are reported by the next opening, once', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  eventLog.append({ type: 'session', sessionId: 's', cwd: '/project', origin: 'new' });
  eventLog.append({ type: 'turn-start', sessionId: 's', turnId: 'turn-1', prompt: [] });
  await eventLog.close();
  const file = join(folder, 'journal.jsonl');
  await writeFile(file, Buffer.concat([await readFile(file), Buffer.from('{"crc":"0')]));
  for (const _round of [1, 2]) await (await openAt(folder)).eventLog.close();
  const interruptions = (await readAll(folder)).filter(({ type }) => type === 'interruption');
  expect(interruptions).toMatchObject([{ seq: 4, turnId: 'turn-1', lostBytes: 9, damagedLines: 0 }]);
});

test('a cleanly closed event log is reopened without an interruption', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  eventLog.append({ type: 'session', sessionId: 's', cwd: '/project', origin: 'new' });
  eventLog.append({ type: 'session-end', sessionId: 's', reason: 'closed' });
  await eventLog.close();
  const { eventLog: again } = await openAt(folder);
  expect(again.append(chunk('x')).seq).toBe(4);
  await again.close();
});

test('an event log has one writer at a time; closing releases it', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  await expect(openAt(folder)).rejects.toMatchObject({ code: 'already-open' });
  await eventLog.close();
  await (await openAt(folder)).eventLog.close();
  expect(await readdir(folder)).toEqual(['journal.jsonl']);
});

test('an event of a newer version is read as unknown, with all fields', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  const raw = { type: 'hologram', depth: 3 };
  eventLog.append({ ...chunk('x'), ...raw } as never);
  await eventLog.close();
  const [, event] = await readAll(folder);
  expect(event).toMatchObject({ seq: 2, type: 'unknown', raw });
});

test('an event that cannot be stored leaves its number and type', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  eventLog.append({ type: 'update', update: 10n });
  eventLog.append(chunk('after'));
  await eventLog.close();
  expect((await readAll(folder)).slice(1)).toMatchObject([
    { seq: 2, type: 'omission', of: 'update' },
    { seq: 3, type: 'update' },
  ]);
});

test('appending faster than the disk waits', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  expect(eventLog.ready()).toBeUndefined();
  for (let count = 0; count < 20; count += 1) eventLog.append(chunk('x'.repeat(100_000)));
  const ready = eventLog.ready();
  expect(ready).toBeInstanceOf(Promise);
  await ready;
  expect(eventLog.ready()).toBeUndefined();
  expect((await stat(join(folder, 'journal.jsonl'))).size).toBeGreaterThan(2_000_000);
  await eventLog.close();
});

test('a reader follows new events from its position', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  eventLog.append(chunk('known'));
  await eventLog.ready();
  const { parts, enough } = followed(folder, 2);
  expect(await parts.next()).toEqual({ done: false, value: { events: [], isAtEnd: true } });
  for (const part of ['one', 'two', 'three']) {
    const next = parts.next();
    const written = eventLog.append(chunk(part));
    expect(await next).toEqual({ done: false, value: { events: [written], isAtEnd: true } });
  }
  const last = parts.next();
  enough.abort();
  expect(await last).toMatchObject({ done: true });
  await eventLog.close();
});

test('a turn that a killed owner left behind ends for followers as the next owner ends it', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  const begun = eventLog.append({ type: 'turn-start', sessionId: 's', turnId: 'one', prompt: [] });
  await eventLog.close();
  const seq = begun.seq + 1;
  const lost = { type: 'interruption', turnId: 'one', seq, time: begun.time, lostBytes: 0, damagedLines: 0 };

  const { parts } = followed(folder, 1);
  expect(await parts.next()).toEqual({ done: false, value: { events: [begun, lost], isAtEnd: true } });
  expect(await followed(folder, begun.seq).parts.next()).toMatchObject({
    value: { events: [lost], isAtEnd: true },
  });
  expect(await followed(folder, lost.seq).parts.next()).toMatchObject({
    value: { events: [], isAtEnd: true },
  });

  // Followers receive what the next owner stores once.
  const next = parts.next();
  const { eventLog: again, events } = await openAt(folder);
  const said = again.append(chunk('again'));
  expect(await next).toMatchObject({ value: { events: [said] } });
  expect(events.at(-2)).toEqual(lost);
  await again.close();
});

test('a follower receives the end of a turn whose owner is killed while it follows, once', async () => {
  const folder = await temporaryFolder();
  const { eventLog } = await openAt(folder);
  const begun = eventLog.append({ type: 'turn-start', sessionId: 's', turnId: 'one', prompt: [] });
  await eventLog.close();
  // As another process has it.
  const lease = await takeLock(join(folder, 'journal.lock'));
  const { parts } = followed(folder, 1);
  expect(await parts.next()).toMatchObject({ value: { events: [begun], isAtEnd: true } });

  const next = parts.next();
  if (lease.isTaken) await lease.release();
  expect(await next).toMatchObject({
    value: { events: [{ type: 'interruption', turnId: 'one', seq: begun.seq + 1 }], isAtEnd: true },
  });

  const after = parts.next();
  const { eventLog: again } = await openAt(folder);
  const said = again.append(chunk('again'));
  expect(await after).toMatchObject({ value: { events: [said] } });
  await again.close();
});

test("event logs are listed with their facts, newest first, and found by the agent's id", async () => {
  const directory = await temporaryFolder();
  const store = filesStore(directory);
  for (const key of ['one', 'two']) {
    const eventLog = await store.open(key, { start, onFailure: fail });
    eventLog.append({ type: 'session', sessionId: `id-${key}`, cwd: '/project', origin: 'new' });
    await eventLog.close();
  }
  await mkdir(join(directory, 'empty'));
  await mkdir(join(directory, 'foreign'));
  await writeFile(join(directory, 'foreign', 'journal.jsonl'), 'not an event log\n');
  expect((await store.list()).map(({ key }) => key).toSorted()).toEqual(['one', 'two']);
  const found = await findSession(store, { agent: 'test', sessionId: 'id-two' });
  expect(found).toMatchObject({ key: 'two', start: { key: 'two', ...start } });
  expect(await findSession(store, { agent: 'other', sessionId: 'id-two' })).toBeUndefined();
  expect(await filesStore(join(directory, 'missing')).list()).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a file that cannot be written is reported once, and what it has is whole',
  async () => {
    const folder = await temporaryFolder();
    const fixture = join(
      process.env['PARLEY_TEST_PROGRAMS'] ?? '',
      'host/src/store/files/failing-writer.fixture.js',
    );
    const line = `trap "" XFSZ; ulimit -f 64; exec "$0" "$1" "$2"`;
    const child = spawn('bash', ['-c', line, process.execPath, fixture, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(JSON.parse(said)).toEqual({ failures: 1, last: 1001 });
    const events = await readAll(folder);
    expect(events.length).toBeGreaterThan(1);
    expect(events.length).toBeLessThan(1001);
  },
);

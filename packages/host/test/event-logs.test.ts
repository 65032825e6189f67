import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fullDisk, type FullDisk } from '@parley/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { filesStore, openSession, type HostEvent, type LoggedEvent } from '../src/index.ts';
import { approve, folder, only, open, script } from './harness.ts';
import { writeEventLogs } from './write-event-logs.ts';

/** The events of the only event log below a directory. */
async function readOnly(directory: string): Promise<readonly LoggedEvent[]> {
  const store = filesStore(directory);
  const heads = await store.list();
  expect(heads).toHaveLength(1);
  const events: LoggedEvent[] = [];
  await store.read(heads[0]?.key ?? '', (event) => void events.push(event));
  return events;
}

function fail(error: Error): never {
  throw error;
}

test('everything that happens in a session is in its event log, in order', async () => {
  const directory = await folder();
  const keeper = writeEventLogs({ store: filesStore(directory), program: 'test 1', onFailure: fail });
  const { events, connection, play, session, cwd } = await script({
    policy: approve('all'),
    onEvent: (event) => keeper.take(event),
  });
  await play(
    { say: 'hello' },
    { request: 'fs/write_text_file', params: { sessionId: '$SESSION', path: join(cwd, 'a'), content: 'b' } },
  );
  await session.close();
  await connection.end();
  await keeper.close();
  const [start, ...logged] = await readOnly(directory);
  expect(start).toMatchObject({ type: 'journal-start', agent: connection.name, cwd, program: 'test 1' });
  // The event log begins when its agent is there, and ends with its session.
  const others = new Set(['agent-starting', 'session-opening', 'stderr', 'agent-end']);
  const emitted = events.filter(({ type }) => !others.has(type));
  expect(logged.map(({ type }) => type)).toEqual(emitted.map(({ type }) => type));
  expect(logged.find(({ type }) => type === 'file-write')).toMatchObject({ after: { text: 'b' } });
  expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index + 2));
});

test('a crash of the agent stores the end of the agent and of its turn', async () => {
  const directory = await folder();
  const keeper = writeEventLogs({ store: filesStore(directory), program: 'test', onFailure: fail });
  const { play } = await script({ onEvent: (event) => keeper.take(event) });
  await expect(play({ say: 'bye' }, { exit: 7 })).rejects.toMatchObject({ code: 'agent-exited' });
  await keeper.close();
  const events = await readOnly(directory);
  expect(events.map(({ type }) => type).slice(-4)).toEqual([
    'update',
    'session-end',
    'agent-end',
    'turn-end',
  ]);
  expect(events.at(-2)).toMatchObject({ expected: false, exitCode: 7 });
});

test('a continued session continues its event log', async () => {
  const directory = await folder();
  const cwd = await folder();
  const capabilities = { loadSession: true };
  for (const resume of [undefined, { sessionId: 'session-1' }, { sessionId: 'session-1' }]) {
    const keeper = writeEventLogs({ store: filesStore(directory), program: 'test', onFailure: fail });
    const { connection } = await open('scripted', {
      start: { capabilities },
      onEvent: (event) => keeper.take(event),
    });
    await openSession(connection, { cwd, ...(resume !== undefined && { resume }) });
    await connection.end();
    await keeper.close();
  }
  const events = await readOnly(directory);
  expect(events.filter(({ type }) => type === 'session')).toMatchObject([
    { origin: 'new' },
    { origin: 'loaded' },
    { origin: 'loaded' },
  ]);
  expect(events.filter(({ type }) => type === 'update')).toMatchObject([{ replay: true }, { replay: true }]);
  expect(events.filter(({ type }) => type === 'interruption')).toEqual([]);
});

test('two sessions of one agent have separate event logs', async () => {
  const directory = await folder();
  const keeper = writeEventLogs({ store: filesStore(directory), program: 'test', onFailure: fail });
  const { connection } = await script({ onEvent: (event) => keeper.take(event) });
  await openSession(connection, { cwd: await folder() });
  await connection.end();
  await keeper.close();
  const ids = (await filesStore(directory).list()).map(({ sessionId }) => sessionId);
  expect(new Set(ids)).toEqual(new Set(['session-1', 'session-2']));
});

test('an event log that cannot be written is reported once, and the session continues', async () => {
  const directory = join(await folder(), 'a-file');
  await writeFile(directory, '');
  const failures: Error[] = [];
  const keeper = writeEventLogs({
    store: filesStore(directory),
    program: 'test',
    onFailure: (error) => void failures.push(error),
  });
  const events: HostEvent[] = [];
  const { play } = await script({
    onEvent: (event) => {
      events.push(event);
      return keeper.take(event);
    },
  });
  await expect(play({ flood: 1000 })).resolves.toMatchObject({ stopReason: 'end_turn' });
  await keeper.close();
  expect(failures).toHaveLength(1);
  expect(only(events, 'update')).toHaveLength(1000);
});

async function openDisk(): Promise<FullDisk> {
  const disk = await fullDisk(fileURLToPath(import.meta.url));
  onTestFinished(() => disk[Symbol.asyncDispose]());
  return disk;
}

test('while the disk is full no prompt is sent; with room the next one is, and the failure is in the event log', async () => {
  const disk = await openDisk();
  const directory = await folder();
  const failures: Error[] = [];
  const keeper = writeEventLogs({
    store: filesStore(directory),
    program: 'test',
    onFailure: (error) => void failures.push(error),
  });
  const { play, connection, events } = await script({
    store: keeper,
    onEvent: (event) => keeper.take(event),
  });
  await play({ say: 'one' });

  disk.isFull = true;
  for (const _round of [1, 2]) {
    await expect(play({ say: 'two' })).rejects.toMatchObject({
      code: 'not-stored',
      message: expect.stringMatching(/prompt was not sent.*journal\.jsonl.*the disk is full/u),
    });
  }
  expect(only(events, 'update')).toHaveLength(1);
  expect(failures).toHaveLength(1);

  disk.isFull = false;
  await expect(play({ say: 'three' })).resolves.toMatchObject({ stopReason: 'end_turn' });
  await connection.end();
  await keeper.close();
  const logged = await readOnly(directory);
  expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index + 1));
  expect(logged.filter(({ type }) => type === 'turn-end')).toMatchObject([
    { stopReason: 'end_turn' },
    { error: { code: 'not-stored' } },
    { stopReason: 'end_turn' },
  ]);
});

test('a disk that fills up during a turn cancels it, and nothing else is changed', async () => {
  const disk = await openDisk();
  const directory = await folder();
  const keeper = writeEventLogs({
    store: filesStore(directory),
    program: 'test',
    onFailure: () => undefined,
  });
  const { play, cwd, connection, answers } = await script({
    policy: approve('all'),
    store: keeper,
    onEvent: (event) => {
      if (event.type === 'update' && JSON.stringify(event.update).includes('fill')) disk.isFull = true;
      return keeper.take(event);
    },
  });
  const params = { sessionId: '$SESSION', path: join(cwd, 'a'), content: 'b' };
  await expect(
    play(
      { say: '"fill"' },
      { request: 'fs/write_text_file', params },
      { request: 'fs/write_text_file', params },
    ),
  ).rejects.toMatchObject({ code: 'not-stored' });
  expect(await readdir(cwd)).toEqual([]);
  expect(answers().slice(1)).toMatchObject([{ error: { data: { reason: 'not-stored' } } }, { error: {} }]);

  disk.isFull = false;
  await play({ request: 'fs/write_text_file', params });
  expect(await readdir(cwd)).toEqual(['a']);
  await connection.end();
  await keeper.close();
  const logged = await readOnly(directory);
  expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index + 1));
  expect(logged.filter(({ type }) => type === 'diagnostic')).toMatchObject([{ code: 'not-stored' }]);
});

test('a session that starts on a full disk leaves nothing, and is stored when there is room', async () => {
  const disk = await openDisk();
  const directory = await folder();
  const keeper = writeEventLogs({
    store: filesStore(directory),
    program: 'test',
    onFailure: () => undefined,
  });
  disk.isFull = true;
  const { play, connection } = await script({ store: keeper, onEvent: (event) => keeper.take(event) });
  await expect(play({ say: 'one' })).rejects.toMatchObject({ code: 'not-stored' });
  expect(await readdir(directory)).toEqual([]);
  disk.isFull = false;
  await play({ say: 'two' });
  await connection.end();
  await keeper.close();
  const logged = await readOnly(directory);
  expect(logged.map(({ type }) => type).slice(0, 4)).toEqual([
    'journal-start',
    'agent-start',
    'session',
    'session-ready',
  ]);
  expect(logged.filter(({ type }) => type === 'turn-end')).toMatchObject([{ stopReason: 'end_turn' }]);
});

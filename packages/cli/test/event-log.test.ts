import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, type LoggedEvent } from '@parley/host';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder, toLines } from './command.ts';

async function eventsIn(home: string): Promise<readonly (readonly LoggedEvent[])[]> {
  const store = filesStore(path.join(home, 'sessions'));
  const heads = await store.list();
  return Promise.all(
    heads.map(async ({ key }) => {
      const events: LoggedEvent[] = [];
      await store.read(key, (event) => void events.push(event));
      return events;
    }),
  );
}

test('a run leaves the event log of its session, from the prompt to the end', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  const env = { PARLEY_HOME: home };
  const { stdout } = await parley(['run', '--format', 'json', 'say: hello'], { cwd: folder.path, env });
  const [events = [], ...others] = await eventsIn(home);
  expect(others).toEqual([]);
  expect(events[0]).toMatchObject({ type: 'journal-start', agent: 'parley', cwd: folder.path });
  expect(events.find(({ type }) => type === 'turn-start')).toMatchObject({
    prompt: [{ type: 'text', text: 'say: hello' }],
  });
  const updates = events.flatMap((event) => (event.type === 'update' ? [event.update] : []));
  const told = toLines(stdout).flatMap((line) => (line.type === 'update' ? [line['update']] : []));
  expect(updates).toEqual(told);
  expect(events.find(({ type }) => type === 'turn-end')).toMatchObject({ stopReason: 'end_turn' });
  expect(events.at(-1)).toMatchObject({ type: 'agent-end', expected: true });
});

test('a session that is continued goes on in its event log', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  const env = { PARLEY_HOME: home };
  await parley(['run', 'say: one'], { cwd: folder.path, env });
  await parley(['run', '--continue', 'say: two'], { cwd: folder.path, env });
  const [events = [], ...others] = await eventsIn(home);
  expect(others).toEqual([]);
  expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test('--continue goes on with the last kept session of an agent that does not list its own', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  const env = { PARLEY_HOME: home };
  const [command, ...args] = scripted({ initialize: { agentCapabilities: { loadSession: true } } });
  await mkdir(home);
  await writeFile(path.join(home, 'config.json'), JSON.stringify({ agents: { old: { command, args } } }));
  const run = (...words: readonly string[]): ReturnType<typeof parley> =>
    parley(['run', '-a', 'old', ...words], { cwd: folder.path, env });
  expect(await run('--continue', 'none is kept yet')).toMatchObject({ status: 2 });
  await run('one');
  expect(await run('--continue', 'two')).toMatchObject({ status: 0 });
  const [events = [], ...others] = await eventsIn(home);
  expect(others).toEqual([]);
  expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
});

test('a run whose event log cannot be kept says so and does its work', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  await mkdir(home);
  await writeFile(path.join(home, 'sessions'), '');
  const run = ['run', '--format', 'json', 'hello', '--', ...scripted({ prompt: [{ say: 'hello' }] })];
  const { status, stdout } = await parley(run, { cwd: folder.path, env: { PARLEY_HOME: home } });
  expect(toLines(stdout).filter(({ type }) => type === 'diagnostic')).toMatchObject([{ code: 'event log' }]);
  expect(status).toBe(0);
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, type LoggedEvent } from '@parley/host';
import { describe, expect, test } from 'vitest';
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

/** Runs the scripted agent by its command line. */
function runIn(
  cwd: string,
  home: string,
): (words: readonly string[], script: object) => ReturnType<typeof parley> {
  return (words, script) =>
    parley(['run', ...words, '--', ...scripted(script)], { cwd, env: { PARLEY_HOME: home } });
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
  const printed = toLines(stdout).flatMap((line) => (line.type === 'update' ? [line['update']] : []));
  expect(updates).toEqual(printed);
  expect(events.find(({ type }) => type === 'turn-end')).toMatchObject({ stopReason: 'end_turn' });
  expect(events.at(-1)).toMatchObject({ type: 'agent-end', expected: true });
});

test('a continued session appends to its event log', async () => {
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

test('--continue resumes the last stored session of an agent that does not list its own', async () => {
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

describe('--continue behind a bare command line', () => {
  const script = { initialize: { agentCapabilities: { loadSession: true } } };
  const listing = {
    initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } },
    prompt: [{ say: 'hello' }],
  };

  test('continues the last session of the same command line', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    const run = runIn(folder.path, home);
    expect(await run(['--continue', 'one'], script)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has no stored session in') as string,
    });
    await run(['one'], script);
    expect(await run(['--continue', 'two'], script)).toMatchObject({ status: 0 });
    const [events = [], ...others] = await eventsIn(home);
    expect(others).toEqual([]);
    expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
  });

  test('is the same for chat', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    await runIn(folder.path, home)(['one'], script);
    const words = ['chat', '--continue', '--', ...scripted(script)];
    const options = { cwd: folder.path, env: { PARLEY_HOME: home }, input: 'two\n' };
    expect(await parley(words, options)).toMatchObject({ status: 0 });
    const [events = [], ...others] = await eventsIn(home);
    expect(others).toEqual([]);
    expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
  });

  test('ignores sessions with other arguments or in another folder', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    const other = path.join(folder.path, 'other');
    await mkdir(other);
    await runIn(folder.path, home)(['one'], script);
    const refused = await runIn(folder.path, home)(['--continue', 'two'], { ...script, prompt: [] });
    expect(refused).toMatchObject({ status: 2 });
    expect(await runIn(other, home)(['--continue', 'two'], script)).toMatchObject({ status: 2 });
    expect((await eventsIn(home)).map(({ length }) => length > 0)).toEqual([true]);
  });

  test('appends to the event log of its own folder if the agent uses one id twice', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    const other = path.join(folder.path, 'other');
    await mkdir(other);
    await runIn(folder.path, home)(['one'], script);
    await runIn(other, home)(['elsewhere'], script);
    expect(await runIn(folder.path, home)(['--continue', 'two'], script)).toMatchObject({ status: 0 });
    const turns = (await eventsIn(home)).map((events) => ({
      cwd: events.flatMap((event) => (event.type === 'journal-start' ? [event.cwd] : []))[0],
      turns: events.filter(({ type }) => type === 'turn-end').length,
    }));
    expect(turns).toEqual([
      { cwd: folder.path, turns: 2 },
      { cwd: other, turns: 1 },
    ]);
  });

  test('ignores a listed session that is stored with another command line', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    const run = runIn(folder.path, home);
    const lists = (...ids: readonly string[]): object => ({
      ...listing,
      sessions: ids.map((sessionId) => ({ sessionId, cwd: folder.path })),
    });
    await run(['one'], listing);
    expect(await run(['--continue', 'two'], lists('scripted-1'))).toMatchObject({ status: 2 });
    expect(await run(['--continue', 'two'], lists('scripted-1', 'its-own'))).toMatchObject({ status: 0 });
  });

  test('stores the arguments only as a hash', async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, 'home');
    await runIn(folder.path, home)(['one'], { ...script, comment: 'sk-secret-argument' });
    const store = filesStore(path.join(home, 'sessions'));
    const [head] = await store.list();
    const stored = await readFile(path.join(store.folderOf(head?.key ?? ''), 'journal.jsonl'), 'utf8');
    expect(stored).toContain('"commandLineHash":');
    expect(stored).not.toContain('sk-secret-argument');
  });
});

test('/new in a chat begins a session of its own, with its own agent and event log', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  const words = ['chat', '--', ...scripted({ prompt: [{ say: 'hello' }] })];
  const options = { cwd: folder.path, env: { PARLEY_HOME: home }, input: 'one\n/new\ntwo\n' };
  expect(await parley(words, options)).toMatchObject({ status: 0, stderr: '' });
  const logs = (await eventsIn(home)).map((events) => ({
    prompts: events.flatMap((event) => (event.type === 'turn-start' ? [event.prompt] : [])),
    agents: events.filter(({ type }) => type === 'agent-start').length,
    last: events.at(-1)?.type,
  }));
  expect(logs.toSorted((left, right) => left.prompts.length - right.prompts.length)).toEqual([
    {
      prompts: [[{ type: 'text', text: expect.stringMatching(/^(?:one|two)$/) as string }]],
      agents: 1,
      last: 'agent-end',
    },
    {
      prompts: [[{ type: 'text', text: expect.stringMatching(/^(?:one|two)$/) as string }]],
      agents: 1,
      last: 'agent-end',
    },
  ]);
});

test('a run whose event log cannot be written reports that and continues', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  await mkdir(home);
  await writeFile(path.join(home, 'sessions'), '');
  const run = ['run', '--format', 'json', 'hello', '--', ...scripted({ prompt: [{ say: 'hello' }] })];
  const { status, stdout } = await parley(run, { cwd: folder.path, env: { PARLEY_HOME: home } });
  expect(toLines(stdout).filter(({ type }) => type === 'diagnostic')).toMatchObject([{ code: 'event-log' }]);
  expect(status).toBe(0);
});

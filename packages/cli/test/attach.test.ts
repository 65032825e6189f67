import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manualClock } from '@parley/conformance';
import { hubMethods } from '@parley/host/hub';
import type { Clock } from '@parley/wire';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AttachedSession } from '../src/attach/attached-session.ts';
import { statusOfError } from '../src/exit-status.ts';
import { findHub } from '../src/hub/find-hub.ts';
import { asking } from './asking.ts';
import { configureAgent, parley, scripted, temporaryFolder } from './command.ts';
import { joinHub, linesOf, startAttach, startTestHub, type TestHub } from './hub.ts';

const engine = await findSandboxEngine({ projects: [] });
const isHeld = engine.name !== 'none';

test('a prompt in a new session is printed as run prints it, with the numbers of its events', async () => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path, isHeld ? ['--sandbox', 'workspace'] : []);

  const first = await parley(['attach', '--new', '--prompt', 'say: hello', '--format', 'json'], {
    cwd: folder.path,
  });
  const lines = linesOf(first);
  const [session, prompt] = lines;
  const key = String(session?.['sessionId']);
  const text = await parley(['attach', key, '--prompt', 'say: again', '--format', 'quiet'], {
    cwd: folder.path,
  });
  const seqs = lines.map(({ seq }) => Number(seq));

  expect(first.stderr).toBe('');
  expect(first.status).toBe(0);
  expect(session).toMatchObject({ v: 1, type: 'session', cwd: folder.path, protocolVersion: 1 });
  // The flag of the server.
  if (isHeld) expect(session).toMatchObject({ sandbox: { mode: 'workspace', engine: engine.name } });
  expect(prompt).toMatchObject({
    type: 'prompt',
    turn: 1,
    content: [{ type: 'text', text: 'say: hello' }],
    client: { name: 'parley attach' },
    token: 'hub',
  });
  expect(JSON.stringify(lines)).toContain('hello');
  expect(lines.at(-1)).toMatchObject({ type: 'stop', stopReason: 'end_turn', exitCode: 0 });
  expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(text).toMatchObject({ status: 0, stdout: 'again\n' });
});

test('the error of an agent is printed with its data, and the session with the number of its event', async () => {
  await using folder = await temporaryFolder();
  const error = { code: -32050, message: 'no', data: { why: 'because' } };
  await configureAgent(folder.path, 'refusing', {
    words: scripted({ errors: { 'session/prompt': error } }),
    env: {},
  });
  await using _hub = await startTestHub(folder.path);

  const words = ['attach', '--new', '-a', 'refusing', '--prompt', 'go', '--format', 'json'];
  const lines = linesOf(await parley(words, { cwd: folder.path }));
  const [session] = lines;
  const follower = startAttach(folder.path, [String(session?.['sessionId']), '--from', '1']);
  await follower.line(({ type }) => type === 'stop');
  follower.kill('SIGINT');
  await follower.finished;

  expect(lines.at(-1)).toMatchObject({ type: 'stop', error, exitCode: 1 });
  expect(follower.lines.find(({ type }) => type === 'stop')).toMatchObject({ error, exitCode: 1 });
  expect(follower.lines[0]).toMatchObject({ type: 'session', seq: session?.['seq'] });
});

test('two followers see each event once, from the number they ask for, until the session is closed', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const flags = isHeld ? ['--sandbox', 'read-only'] : [];
  const begun = await parley(['attach', '--new', '--prompt', 'say: one', '--format', 'json', ...flags], {
    cwd: folder.path,
  });
  if (isHeld) expect(linesOf(begun)[0]).toMatchObject({ sandbox: { mode: 'read-only' } });
  const key = String(linesOf(begun)[0]?.['sessionId']);
  const all = startAttach(folder.path, [key.slice(-12), '--from', '1']);
  const next = startAttach(folder.path, []);
  await all.line(({ type }) => type === 'stop');
  await next.line(({ type }) => type === 'session');
  await using page = await joinHub(hub.file);

  await page.connection.request('session/prompt', {
    sessionId: key,
    prompt: [{ type: 'text', text: 'say: two' }],
  });
  await page.connection.request('session/close', { sessionId: key });
  const [whole, rest] = await Promise.all([all.finished, next.finished]);

  expect([whole.status, rest.status]).toEqual([0, 0]);
  expect(all.lines.filter(({ type }) => type === 'prompt').map(({ turn, client }) => [turn, client])).toEqual(
    [
      [1, { name: 'parley attach' }],
      [2, { name: 'page' }],
    ],
  );
  expect(next.lines.filter(({ type }) => type === 'prompt')).toHaveLength(1);
  expect(JSON.stringify(next.lines)).not.toContain('one');
  const seqs = all.lines.map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...new Set(seqs)].toSorted((left, right) => left - right));
  const ofTwo = all.lines.filter(({ seq }) => next.lines.slice(1).some((line) => line['seq'] === seq));
  expect(next.lines.slice(1)).toEqual(ofTwo);
});

test('a permission goes to the client that may answer, and is rejected with status 3 where none is connected', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'asking', { words: scripted(asking), env: {} });
  await using hub = await startTestHub(folder.path);
  const words = ['attach', '--new', '-a', 'asking', '--prompt', 'go', '--format', 'json'];

  const alone = await parley(words, { cwd: folder.path });
  const failing = await parley([...words, '--on-ask', 'fail'], { cwd: folder.path });
  await using page = await joinHub(hub.file);
  const waiting = parley(words, { cwd: folder.path });
  const { key, requestId } = await page.question();
  const open: boolean[] = [];
  await using observer = await attachHere(hub.file, { onAsking: (isAsking) => open.push(isAsking) });
  await observer.attach(key);
  expect(open).toEqual([true]);
  await page.connection.request(hubMethods.answer, {
    sessionId: key,
    requestId,
    answer: { kind: 'option', optionId: 'yes' },
  });
  const answered = await waiting;
  await vi.waitFor(() => {
    expect(open).toEqual([true, false]);
  });
  const { stdout } = await parley(['sessions', 'audit', '--json'], { cwd: folder.path });

  const { entries }: { readonly entries: readonly object[] } = JSON.parse(stdout);
  expect(entries.at(0)).toMatchObject({ decision: 'reject', by: 'nobody', client: 'hub' });
  expect(entries.at(-1)).toMatchObject({
    decision: 'allow',
    by: 'person',
    client: 'page',
    token: 'hub',
    session: key,
  });
  expect(alone.status).toBe(3);
  expect(linesOf(alone).find(({ type }) => type === 'permission')).toMatchObject({
    decision: 'no',
    by: 'nobody',
  });
  expect(failing.status).toBe(3);
  expect(linesOf(failing).find(({ type }) => type === 'permission')).toMatchObject({
    decision: 'cancelled',
    by: 'nobody',
  });
  expect(failing.stdout).toContain(String.raw`request_permission: {\"outcome\":{\"outcome\":\"cancelled\"}}`);
  expect(answered.status).toBe(0);
  expect(linesOf(answered).find(({ type }) => type === 'permission')).toMatchObject({
    decision: 'yes',
    by: 'person',
    client: { name: 'page' },
    token: 'hub',
  });
});

test('a permission request that is open when the time limit passes is recorded as decided by no user, as in run', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'asking', { words: scripted(asking), env: {} });
  await using hub = await startTestHub(folder.path);
  await using page = await joinHub(hub.file);
  const words = ['--new', '-a', 'asking', '--prompt', 'go'];

  const timed = startAttach(folder.path, [...words, '--timeout', '6']);
  await page.question();
  const { status } = await timed.finished;

  expect(status).toBe(124);
  expect(timed.lines.find(({ type }) => type === 'permission')).toMatchObject({
    decision: 'cancelled',
    by: 'nobody',
    reason: 'the time limit of the turn was reached',
  });
});

test('a follower continues with the next event after the server is killed and restarted', async () => {
  await using folder = await temporaryFolder();
  await using first = await startTestHub(folder.path);
  const begun = await parley(['attach', '--new', '--prompt', 'say: one', '--format', 'json'], {
    cwd: folder.path,
  });
  const key = String(linesOf(begun)[0]?.['sessionId']);
  const follower = startAttach(folder.path, [key, '--from', '1']);
  await follower.line(({ type }) => type === 'stop');

  await first.end('SIGKILL');
  await using second = await startTestHub(folder.path);
  await parley(['attach', key, '--prompt', 'say: two', '--format', 'json'], { cwd: folder.path });
  await follower.line(
    (line) => line.type === 'stop' && follower.lines.filter(({ type }) => type === 'stop').length === 2,
  );
  await second.end();
  await using third = await startTestHub(folder.path);
  await parley(['attach', key, '--prompt', 'say: three', '--format', 'json'], { cwd: folder.path });
  await using page = await joinHub(third.file);
  await page.connection.request('session/close', { sessionId: key });
  const { status } = await follower.finished;

  const prompts = follower.lines
    .filter(({ type }) => type === 'prompt')
    .map(({ content }) => JSON.stringify(content));
  const seqs = follower.lines.map(({ seq }) => Number(seq));
  expect(status).toBe(0);
  expect(prompts).toHaveLength(3);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((left, right) => left - right));
});

test('a turn that a killed server leaves behind fails with server-killed', async () => {
  await using folder = await temporaryFolder();
  await using first = await startTestHub(folder.path);
  const turn = startAttach(folder.path, ['--new', '--prompt', 'say: before\nsleep 600']);
  await turn.line((line) => JSON.stringify(line).includes('before') && line.type === 'update');

  await first.end('SIGKILL');
  await using _second = await startTestHub(folder.path);
  const { status } = await turn.finished;
  const later = startAttach(folder.path, [String(turn.lines[0]?.['sessionId']), '--from', '1']);
  const stop = await later.line(({ type }) => type === 'stop');
  later.kill('SIGTERM');
  await later.finished;

  expect(status).toBe(1);
  expect(turn.lines.at(-1)).toMatchObject({ type: 'stop', error: { code: 'server-killed' }, exitCode: 1 });
  expect(stop).toMatchObject({ error: { code: 'server-killed' }, exitCode: 1 });
});

test('a timeout and SIGINT end a client whose hub was lost, with their status and a last line', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const prompt = ['--new', '--prompt', 'say: before\nsleep 600'];
  const timed = startAttach(folder.path, [...prompt, '--timeout', '20']);
  const stopped = startAttach(folder.path, prompt);
  for (const client of [timed, stopped]) await client.line((line) => JSON.stringify(line).includes('before'));

  await hub.end('SIGKILL');
  stopped.kill('SIGINT');

  expect((await stopped.finished).status).toBe(130);
  expect(stopped.lines.at(-1)).toMatchObject({ type: 'stop', exitCode: 130 });
  expect((await timed.finished).status).toBe(124);
  expect(timed.lines.at(-1)).toMatchObject({ type: 'stop', error: { code: 'timeout' }, exitCode: 124 });
});

test('SIGINT stops the turn of a prompt and ends with 130; a timeout ends with 124', async () => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path);
  const turn = startAttach(folder.path, ['--new', '--prompt', 'say: before\nsleep 600']);
  await turn.line((line) => line.type === 'update' && JSON.stringify(line).includes('before'));
  turn.kill('SIGINT');
  const late = await parley(
    ['attach', '--new', '--prompt', 'sleep 600', '--timeout', '3', '--format', 'json'],
    {
      cwd: folder.path,
    },
  );

  expect((await turn.finished).status).toBe(130);
  expect(turn.lines.at(-1)).toMatchObject({ type: 'stop', stopReason: 'cancelled', exitCode: 130 });
  expect(late.status).toBe(124);
});

describe('in a folder with two sessions', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let hub: TestHub;

  beforeAll(async () => {
    folder = await temporaryFolder();
    hub = await startTestHub(folder.path);
    await using page = await joinHub(hub.file);
    for (const _ of [1, 2]) {
      await page.connection.request('session/new', { cwd: folder.path, mcpServers: [] });
    }
  });

  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test.each([
    ['an unknown session', ['nope'], 2, /no session "nope"/u],
    ['no session where there are two', [], 2, /which SESSION\?/u],
    ['the beginning of two sessions', ['2'], 2, /matches 2 sessions/u],
    ['a wrong token', ['--token', 'parley_wrong'], 1, /refused the token/u],
    ['a hub that is not there', ['--url', 'http://127.0.0.1:9'], 1, /parley serve/u],
    ['an unknown agent', ['--new', '-a', 'stranger', '--prompt', 'hi'], 2, /no agent "stranger"/u],
    ['flags that exclude each other', ['x', '--new'], 2, /cannot be combined/u],
    ['--on-ask without a prompt', ['2', '--on-ask', 'fail'], 2, /--on-ask requires --prompt/u],
  ])('%s ends with its status, and a stop line', async (_name, words, expected, said) => {
    const finished = await parley(['attach', ...words, '--format', 'json'], { cwd: folder.path });

    expect(finished.stderr).toMatch(said);
    expect(finished.status).toBe(expected);
    expect(linesOf(finished).at(-1)).toMatchObject({ type: 'stop', exitCode: expected });
  });

  test('a client stops reconnecting 30 s after the hub was lost, with status 1', async () => {
    const clock = manualClock();
    await using session = await attachHere(hub.file, { clock });
    await session.attach(session.client.sessions[0]?.key ?? '');
    const closed = session.closed();
    let failure: unknown;
    closed.catch((error: unknown) => {
      failure = error;
    });
    const advance = async (ms: number): Promise<void> => {
      await vi.waitFor(() => {
        expect(clock.timers).toBe(1);
      });
      clock.advance(ms);
    };

    await hub.end('SIGKILL');
    await advance(29_999);
    // The next attempt fails too.
    await advance(0);
    expect(failure).toBeUndefined();
    await advance(1000);

    await expect(closed).rejects.toMatchObject({
      code: 'hub-lost',
      message: expect.stringContaining('30 s'),
    });
    expect(statusOfError('hub-lost')).toBe(1);
  });
});

test('PARLEY_TOKEN is used for the hub of this machine; revoking it ends a follower at once', async () => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path);
  const cwd = folder.path;
  await parley(['attach', '--new', '--prompt', 'say: one', '--format', 'quiet'], { cwd });
  const added = await parley(['serve', 'tokens', 'add', 'eve', '--scope', 'admin'], { cwd });
  const token =
    added.stdout
      .trim()
      .split(/\s/u)
      .find((word) => word.length > 20) ?? '';

  const refused = await parley(['attach', '--format', 'json'], { cwd, env: { PARLEY_TOKEN: 'wrong' } });
  const follower = startAttach(cwd, [], { PARLEY_TOKEN: token });
  await follower.line(({ type }) => type === 'session');
  await parley(['serve', 'tokens', 'revoke', 'eve'], { cwd });
  const { status, stderr } = await follower.finished;

  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('refused the token') });
  expect(status).toBe(1);
  expect(stderr).toContain('refused the token');
  expect(stderr).not.toContain(token);
});

test('a flag that the hub cannot follow is wrong usage, as with run', async () => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path);
  const cases = [
    [['--mode', 'no-such-mode'], 'not-offered', 'does not offer mode "no-such-mode"'],
    [['--set', 'tone=dry'], 'not-offered', 'does not offer option "tone"'],
    [['--agent', 'no-such-agent'], 'usage', '--agent: the hub has no agent "no-such-agent"'],
    [
      ['--team', 'no-such-agent'],
      'usage',
      '--team: expected names of agents that can be started, and "no-such-agent" is not one',
    ],
    [['--cwd', '/'], 'usage', '--cwd: session/new: "/" is in none of the folders'],
  ] as const;
  for (const [flags, code, message] of cases) {
    const words = ['attach', '--new', ...flags, '--prompt', 'say: one', '--format', 'json'];
    const refused = await parley(words, { cwd: folder.path });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
    expect(linesOf(refused)).toMatchObject([{ type: 'stop', error: { code }, exitCode: 2 }]);
    expect(linesOf(refused)[0]).not.toHaveProperty('seq');
  }
});

test('rejections by the hub are named, and the last line repeats no number', async () => {
  await using folder = await temporaryFolder();
  const errors = { 'session/new': { code: -32_603, message: 'no room' } };
  await configureAgent(folder.path, 'full', { words: scripted({ errors }), env: {} });
  await using _hub = await startTestHub(folder.path);
  const words = ['attach', '--new', '--agent', 'full', '--prompt', 'say: one', '--format', 'json'];
  const { status, stderr } = await parley(words, { cwd: folder.path });
  const begun = await parley(['attach', '--new', '--prompt', 'say: one', '--format', 'json'], {
    cwd: folder.path,
  });
  const ended = await parley(['attach', '--format', 'json', '--timeout', '1'], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toContain('session/new');
  expect(linesOf(begun).at(-1)).toMatchObject({ type: 'stop', seq: expect.any(Number) });
  const seqs = linesOf(ended).flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  expect(linesOf(ended).at(-1)).toMatchObject({ type: 'stop' });
  expect(new Set(seqs).size).toBe(seqs.length);
  const [opened, stopped] = [linesOf(ended)[0], linesOf(ended).at(-1)].map((line) => String(line?.['time']));
  expect(Date.parse(stopped ?? '')).toBeGreaterThan(Date.parse(opened ?? ''));
});

test('the last line of a client that ends by itself has no number, also after an event that has no line', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, '.home'));
  const rules = [{ tool: 'edit', path: 'a.txt', decision: 'allow' }];
  await writeFile(path.join(folder.path, '.home', 'config.json'), JSON.stringify({ permissions: { rules } }));
  await using first = await startTestHub(folder.path);
  await parley(['attach', '--new', '--prompt', 'write a.txt: one'], { cwd: folder.path });
  await first.end();
  const undone = await parley(['changes', 'undo'], { cwd: folder.path });
  await using _second = await startTestHub(folder.path);

  const followed = await parley(['attach', '--format', 'json', '--from', '1', '--timeout', '3'], {
    cwd: folder.path,
  });

  expect(undone).toMatchObject({ status: 0, stderr: '' });
  expect(linesOf(followed).map(({ type }) => type)).toContain('prompt');
  expect(linesOf(followed).at(-1)).toMatchObject({ type: 'stop', exitCode: 124 });
  expect(linesOf(followed).at(-1)).not.toHaveProperty('seq');
});

/** A session of the hub as `parley attach` has it, in this process. */
function attachHere(
  { url, token }: TestHub['file'],
  { clock, onAsking }: { readonly clock?: Clock; readonly onAsking?: (isAsking: boolean) => unknown },
): Promise<AttachedSession> {
  return AttachedSession.open(
    {
      find: () => findHub({ url, token }, { env: {}, warn: () => undefined }),
      answers: false,
      signal: new AbortController().signal,
      ...(clock !== undefined && { clock }),
    },
    { event: () => undefined, onAsking: (isAsking) => onAsking?.(isAsking) },
  );
}

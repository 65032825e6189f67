import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { HostError, openAgent, openSession, type HostEvent } from '../src/index.ts';
import {
  approve,
  codes,
  fixture,
  folder,
  isAlive,
  only,
  open,
  isPosix,
  processes,
  script,
  texts,
} from './harness.ts';

// The first start brings the watchdog of this process along, which stays as long as that does.
await failure({ initialize: 'exit' });
const before = new Set(process.platform === 'win32' ? [] : processes().map(({ pid }) => pid));

/** What starting an agent failed with. */
async function failure(start: object, options: object = {}): Promise<HostError> {
  try {
    await using connection = await openAgent({
      ...fixture('scripted', start),
      cwd: tmpdir(),
      clientInfo: { name: 'test', version: '1.0.0' },
      policy: approve('reads'),
      onEvent: () => {},
      name: 'scripted',
      ...options,
    });
    throw new Error(`${connection.name} started`);
  } catch (error) {
    if (error instanceof HostError) return error;
    throw error;
  }
}

test('the error for a missing command names it', async () => {
  const error = await failure({}, { command: 'no-such-agent', args: ['--acp'] });

  expect(error).toMatchObject({ code: 'start-failed' });
  expect(error.message).toContain('no-such-agent');
});

test('the error for an agent that exits at start has its status and the end of its standard error', async () => {
  const error = await failure({ stderr: 'no key\nset KEY\n', exit: 3 });

  expect(error).toMatchObject({
    code: 'start-failed',
    exitStatus: { exitCode: 3 },
    stderr: 'no key\nset KEY',
  });
  expect(error.message).toBe('start "scripted": the agent exited with status 3');
});

test('the error for an agent that exits during initialize has its status', async () => {
  expect(await failure({ initialize: 'exit' })).toMatchObject({
    code: 'start-failed',
    exitStatus: { exitCode: 3 },
  });
});

test.runIf(isPosix)('an agent that hangs in initialize is terminated, even if it ignores TERM', async () => {
  const pids: number[] = [];
  const onEvent = (event: HostEvent): void => {
    if (event.type === 'stderr') pids.push(Number(event.text.replace('grandchild ', '')));
  };
  const start = { initialize: 'hang', ignoreTerm: true, stayAtEnd: true, grandchild: true };

  const error = await failure(start, { startTimeoutMs: 300, onEvent });

  expect(error).toMatchObject({ code: 'start-timeout' });
  const load = process.platform === 'linux' ? '; its processes were (busy|idle)' : '';
  expect(error.message).toMatch(new RegExp(`^start "scripted": no answer to initialize in 300 ms${load}$`));
  expect(pids.map(isAlive)).toEqual(pids.map(() => false));
});

test('an aborted start leaves nothing', async () => {
  const controller = new AbortController();
  const failed = failure(
    { initialize: 'hang' },
    { signal: controller.signal, observe: () => controller.abort() },
  );

  expect(await failed).toMatchObject({ code: 'aborted' });
  expect(await failure({}, { signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' });
});

test('an agent with another protocol version is rejected', async () => {
  expect(await failure({ initialize: { protocolVersion: 7 } })).toMatchObject({
    code: 'unsupported-version',
  });
});

test('an agent that rejects initialize is terminated', async () => {
  const error = await failure({}, { args: ['-e', refuse], command: process.execPath });

  expect(error).toMatchObject({ code: 'start-failed' });
  expect(error.message).toContain('not today');
});

const refuse = `
  process.stdin.on('data', (line) => {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'not today' } }));
  });
`;

test('an agent that crashes during a turn fails it with its status and last log lines', async () => {
  const { play, connection } = await script();

  const turn = play({ stderr: 'out of memory\n' }, { exit: 134 });

  await expect(turn).rejects.toMatchObject({
    name: 'HostError',
    code: 'agent-exited',
    exitStatus: { exitCode: 134 },
    stderr: 'out of memory',
  });
  expect(connection.stderrTail()).toBe('out of memory');
  await expect(connection.openSession({ cwd: await folder() })).rejects.toMatchObject({
    code: 'agent-exited',
  });
});

test('a timeout of an agent has another error code than its end', async () => {
  const { connection } = await open('scripted', { start: { newSession: 'never' }, openTimeoutMs: 100 });

  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({
    code: 'open-timeout',
    message: expect.stringMatching(/no answer from .* in 100 ms/),
  });
});

test.runIf(isPosix)('an agent that ignores SIGTERM is killed', async () => {
  const { connection } = await script({ start: { ignoreTerm: true, stayAtEnd: true } });

  await expect(connection.end()).resolves.toEqual({ exitCode: null, signal: 'SIGKILL' });
});

test.runIf(isPosix)(
  'an agent that leaves at the end of its input leaves with its own status, and nothing stays behind',
  async () => {
    const { connection, event } = await script({ start: { grandchild: true } });
    const { text } = await event('stderr');

    await expect(connection.end()).resolves.toEqual({ exitCode: 0, signal: null });
    expect(isAlive(Number(text.replace('grandchild ', '')))).toBe(false);
  },
);

test.runIf(isPosix)('processes left by a crashed agent are terminated too', async () => {
  const { play, event } = await script({ start: { grandchild: true } });
  const { text } = await event('stderr');

  await expect(play({ exit: 0 })).rejects.toMatchObject({ code: 'agent-exited' });

  expect(isAlive(Number(text.replace('grandchild ', '')))).toBe(false);
});

test('noise on standard output is counted, reported, and skipped', async () => {
  const { play, events } = await script({ start: { stdout: 'Welcome!\n' } });

  const result = await play({ say: '1' }, { stdout: 'debug: thinking\n\n{"half":\n' }, { say: '2' });

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(texts(events)).toEqual(['1', '2']);
  expect(only(events, 'diagnostic')).toMatchObject([
    { code: 'stdout-noise', message: expect.stringContaining('Welcome!') },
    { code: 'stdout-noise', message: expect.stringContaining('(2 so far)') },
    { code: 'stdout-noise', message: expect.stringContaining('(3 so far)') },
  ]);
});

test('a flood of noise is reported at its first lines and at each power of ten', async () => {
  const { play, events } = await script();

  await play({ stdout: 'noise\n'.repeat(1000) });

  const counts = only(events, 'diagnostic').map(({ message }) =>
    Number(/\((\d+) so far\)/.exec(message)?.[1] ?? 1),
  );
  expect(counts).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 100, 1000]);
});

test('JSON lines that are not messages are ignored', async () => {
  const { play, events } = await script();

  await play({ stdout: '7\n"text"\n[]\n{"id":1}\n{"jsonrpc":"2.0","id":{},"method":"x"}\n' }, { say: '1' });

  expect(texts(events)).toEqual(['1']);
  expect(new Set(codes(events))).toEqual(new Set(['invalid-message']));
});

test('a line with invalid UTF-8 is skipped', async () => {
  const { play, events } = await script();

  await play({ bytes: [0x22, 0xff, 0xfe, 0x22, 0x0a] }, { say: 'ä' });

  expect(texts(events)).toEqual(['ä']);
  expect(codes(events)).toEqual(['invalid-utf8']);
});

test('a line over the limit is skipped and the session continues', async () => {
  const { play, events } = await script();

  await play({ longLine: 100 * 1024 * 1024 }, { say: '1' });

  expect(texts(events)).toEqual(['1']);
  expect(codes(events)).toEqual(['oversized-line']);
});

test('a flood of updates arrives completely and in order', async () => {
  const { play, events } = await script();

  await play({ flood: 20_000 });

  expect(texts(events)).toEqual(Array.from({ length: 20_000 }, (_, index) => String(index)));
});

test('an update for a session that was not opened is reported and ignored', async () => {
  const { play, events } = await script();
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'boo' } };
  const line = JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 'ghost', update },
  });

  await play({ stdout: `${line}\n` }, { say: '1' });

  expect(texts(events)).toEqual(['1']);
  expect(codes(events)).toEqual(['unknown-session']);
});

test('an unexpected answer and an unknown request do no harm', async () => {
  const { play, answers, events } = await script();

  await play(
    { stdout: '{"jsonrpc":"2.0","id":9999,"result":{}}\n' },
    { request: '_vendor/unknown', params: {} },
    { request: 'terminal/resize', params: {} },
  );

  expect(answers()).toMatchObject([{ error: { code: -32601 } }, { error: { code: -32601 } }]);
  expect(codes(events)).toEqual(['unexpected-answer']);
});

test('standard error is emitted live, and only its end is remembered', async () => {
  const { play, connection, events, event } = await script();
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('');

  await play({ stderr: lines });
  await event('stderr');
  await connection.end();

  expect(
    only(events, 'stderr')
      .map((each) => each.text)
      .join(''),
  ).toBe(lines);
  expect(connection.stderrTail().length).toBeLessThanOrEqual(16 * 1024);
  expect(connection.stderrTail()).toMatch(/^line \d+\n/);
  expect(connection.stderrTail()).toMatch(/line 4999$/);
});

test.runIf(isPosix)('no process of these agents is left', () => {
  const children = processes().filter(({ parent, pid }) => parent === process.pid && !before.has(pid));

  // The watchdog of this process stays as long as it does.
  expect(children.filter(({ command }) => !command.endsWith(' parley-watchdog'))).toEqual([]);
});

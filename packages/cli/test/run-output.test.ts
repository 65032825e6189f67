import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  finish,
  flooding,
  parley,
  scripted,
  seen,
  startParley,
  stopOf,
  temporaryFolder,
  toLines,
} from './command.ts';

test('JSON output is the session line, then updates, then exactly one stop line', async () => {
  const update = { sessionUpdate: 'from_the_future', depth: { kept: [1, null] }, _meta: { m: true } };
  const script = { prompt: [{ update }, { say: 'hi' }], usage: { inputTokens: 3 } };
  const { stdout } = await parley(['run', '--format', 'json', 'go', '--', ...scripted(script)]);
  const lines = toLines(stdout).filter(({ type }) => type !== 'diagnostic');
  expect(lines.map(({ type }) => type)).toEqual(['session', 'update', 'update', 'stop']);
  expect(lines[0]).toMatchObject({
    sessionId: 'scripted-1',
    agent: { name: 'scripted', version: '1.2.3' },
    protocolVersion: 1,
  });
  expect(lines[1]?.['update']).toEqual(update);
  expect(stopOf(toLines(stdout))).toMatchObject({
    stopReason: 'end_turn',
    usage: { inputTokens: 3 },
    exitCode: 0,
  });
});

test('an update sent before the response to session/new is printed after the session line', async () => {
  const early =
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"scripted-1","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}\n';
  const { stdout } = await parley(['run', '--format', 'json', 'go', '--', ...scripted({ early })]);
  const lines = toLines(stdout);
  expect(lines.map(({ type }) => type)).toEqual(['session', 'update', 'stop']);
});

test("noise on the agent's standard output is reported and ignored", async () => {
  const { status, stdout } = await parley([
    'run',
    '--format',
    'json',
    'go',
    '--',
    ...scripted({ prompt: [{ write: 'Loading model…\n' }, { say: 'hi' }] }),
  ]);
  expect(status).toBe(0);
  const lines = toLines(stdout);
  expect(lines).toContainEqual(expect.objectContaining({ type: 'diagnostic', code: 'stdout-noise' }));
  expect(lines.at(-1)).toMatchObject({ stopReason: 'end_turn' });
});

test('text is for users; warnings and failures stay on standard error', async () => {
  const script = {
    prompt: [
      { say: 'I write. ' },
      {
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: '1',
          title: 'Write a.txt',
          kind: 'edit',
          status: 'pending',
        },
      },
      { write: 'noise\n' },
      {
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: '1',
          status: 'failed',
          content: [{ type: 'content', content: { type: 'text', text: 'no space' } }],
        },
      },
      { say: 'It failed.' },
    ],
    stopReason: 'refusal',
  };
  const { status, stdout, stderr } = await parley(['run', 'go', '--', ...scripted(script)]);
  expect(status).toBe(5);
  expect(stdout).toBe('I write. \n\n• Write a.txt … failed\n    no space\n\nIt failed.\n');
  expect(stderr).toContain('stdout-noise');
  expect(stderr).toContain('the turn ended with "refusal"');
});

test('quiet is only the final message', async () => {
  const script = {
    prompt: [
      { say: 'I look.' },
      { update: { sessionUpdate: 'tool_call', toolCallId: '1', title: 'Look', status: 'completed' } },
      { say: 'The answer is ' },
      { say: '42.' },
    ],
  };
  const { stdout, stderr } = await parley(['run', '--format', 'quiet', 'go', '--', ...scripted(script)]);
  expect(stdout).toBe('The answer is 42.\n');
  expect(stderr).toBe('');
});

test('the built-in agent works without configuration', async () => {
  const { status, stdout } = await parley(['run', '--format', 'quiet', 'say: hello']);
  expect(status).toBe(0);
  expect(stdout).toBe('hello\n');
});

test.each(['agent_message_chunk', 'tool_call_update'])(
  '100,000 updates of the kind %s arrive, in order, none lost',
  async (kind) => {
    const { status, stdout } = await parley([
      'run',
      '--format',
      'json',
      'go',
      '--',
      ...flooding(100_000, kind),
    ]);
    expect(status).toBe(0);
    const lines = toLines(stdout);
    expect(lines.filter(({ type }) => type === 'update')).toHaveLength(100_000);
  },
);

test.skipIf(process.platform === 'win32')(
  'a reader that does not read slows the agent down, and gets everything when it reads',
  { timeout: 300_000 },
  async () => {
    await using folder = await temporaryFolder();
    const log = path.join(folder.path, 'log');
    const child = startParley(['run', '--format', 'json', 'go', '--', ...flooding(200_000)], {
      env: { FLOOD_LOG: log },
    });
    child.stdin.end();
    const written = await expect
      .poll(() => readFile(log, 'utf8').catch(() => ''), { timeout: 120_000 })
      .toMatch(/stalled|finished/)
      .then(() => readFile(log, 'utf8'));
    // What is on its way is a few thousand: the bound of our own output, and the pipes on both sides.
    expect(Number(/stalled after (\d+)/.exec(written)?.[1])).toBeLessThan(50_000);
    const { status, stdout } = await finish(child);
    expect(status).toBe(0);
    expect(toLines(stdout).filter(({ type }) => type === 'update')).toHaveLength(200_000);
  },
);

test.skipIf(process.platform === 'win32')(
  'when the reader goes away, the command ends quietly and takes the agent with it',
  async () => {
    await using folder = await temporaryFolder();
    const log = path.join(folder.path, 'log');
    const child = startParley(['run', '--format', 'json', 'go', '--', ...flooding(10_000_000)], {
      env: { FLOOD_LOG: log },
    });
    const finished = finish(child);
    child.stdin.end();
    await seen(child.stdout, '"update"');
    child.stdout.destroy();
    const { status, stderr } = await finished;
    expect(status).toBe(1);
    expect(stderr).toBe('');
    const agent = Number(/pid (\d+)/.exec(await readFile(log, 'utf8'))?.[1]);
    expect(() => process.kill(agent, 0)).toThrow('ESRCH');
  },
);

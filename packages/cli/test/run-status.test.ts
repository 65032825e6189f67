import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finish, parley, scripted, seen, startParley, stopOf, temporaryFolder, toLines } from './command.ts';

/** The stop line of a run with an agent that does what the script says. */
async function run(
  script: object,
  ...flags: string[]
): Promise<{ status: number | null; stderr: string; stop: object }> {
  const { status, stdout, stderr } = await parley([
    'run',
    '--format',
    'json',
    ...flags,
    'go',
    '--',
    ...scripted(script),
  ]);
  return { status, stderr, stop: stopOf(toLines(stdout)) };
}

test.each([
  ['end_turn', 0],
  ['max_turn_requests', 4],
  ['refusal', 5],
  ['max_tokens', 6],
  ['cancelled', 1],
])('the stop reason %s ends with status %i', async (stopReason, exitCode) => {
  const { status, stop } = await run({ stopReason, usage: { inputTokens: 1 } });
  expect(status).toBe(exitCode);
  expect(stop).toMatchObject({ stopReason, exitCode });
});

test('an agent that cannot be started ends with status 1, and is named', async () => {
  const { status, stdout, stderr } = await parley([
    'run',
    '--format',
    'json',
    'go',
    '--',
    'parley-no-such-agent',
  ]);
  expect(status).toBe(1);
  expect(stderr).toContain('parley-no-such-agent');
  expect(stopOf(toLines(stdout))).toMatchObject({ error: { code: 'start-failed' }, exitCode: 1 });
});

test('an agent that dies in the middle of a turn ends with status 1 and its last words', async () => {
  const { status, stderr, stop } = await run({
    prompt: [{ say: 'so far' }, { stderr: 'panic: \u001b[31mno disk\n' }, { exit: 3 }],
  });
  expect(status).toBe(1);
  expect(stop).toMatchObject({ error: { code: 'agent-exited' }, exitCode: 1 });
  expect(stderr).toContain('parley: | panic: no disk\n');
});

test('an agent that answers the prompt with an error ends with status 1 and that error', async () => {
  const error = { code: -32603, message: 'the model is gone', data: { retry: false } };
  const { status, stderr, stop } = await run({ errors: { 'session/prompt': error } });
  expect(status).toBe(1);
  expect(stop).toMatchObject({ error, exitCode: 1 });
  expect(stderr).toContain('error -32603: the model is gone');
});

test.each(['session/new', 'session/prompt'])(
  'an agent that wants a sign-in at %s ends with status 7 and the ways to do it',
  async (method) => {
    const { status, stderr, stop } = await run({
      log: 'started\n',
      initialize: { authMethods: [{ id: 'login', name: 'Log in', description: 'run scripted login' }] },
      errors: { [method]: { code: -32000, message: 'Authentication required' } },
    });
    expect(status).toBe(7);
    expect(stop).toMatchObject({ exitCode: 7 });
    // What the agent logs while it refuses is no cause: what to do is all that is said.
    expect(stderr.trimEnd()).toMatch(/^parley: [^\n]*Log in \(run scripted login\)$/);
  },
);

test.each(['initialize', 'session/new', 'session/prompt'])(
  'an agent that never answers %s ends with status 124 at the timeout',
  async (method) => {
    const silent = { silent: [method], prompt: [{ until: 'never' }] };
    const { status, stop, stderr } = await run(silent, '--timeout', '1');
    expect(status).toBe(124);
    // One reason, not the limit and what it made fail; an agent that was late may have last words.
    const [reason = '', ...others] = stderr.trimEnd().split('\n');
    expect(reason).toMatch(/^parley: .*--timeout/u);
    expect(others.filter((line) => !/^parley: (?:\| |the agent's last lines )/u.test(line))).toEqual([]);
    expect(stop).toMatchObject({ error: { code: 'timeout' }, exitCode: 124 });
  },
);

// What waits for long limits waits together.
test.concurrent.each([
  [{ startSeconds: 0.5 }, 'initialize', 'start-timeout', {}, []],
  // The start itself has that time too, and takes some seconds on a busy machine.
  [{ startSeconds: 20 }, 'session/new', 'open-timeout', {}, []],
  [{ openSeconds: 0.5 }, 'session/new', 'open-timeout', {}, []],
  [{ openSeconds: 0.5 }, 'session/load', 'open-timeout', { loadSession: true }, ['--session', 's']],
  [
    { openSeconds: 0.5 },
    'session/resume',
    'open-timeout',
    { sessionCapabilities: { resume: {} } },
    ['--session', 's'],
  ],
])(
  'the limits %j of the configuration end the wait for %s with status 1, and the last lines of the agent are shown',
  async (limits, method, code, agentCapabilities, flags) => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'config.json');
    await writeFile(file, JSON.stringify({ limits }));
    const script = { silent: [method], log: 'waiting for a model\n', initialize: { agentCapabilities } };
    const { status, stop, stderr } = await run(script, '--config', file, ...flags);
    expect(status).toBe(1);
    expect(stop).toMatchObject({ error: { code }, exitCode: 1 });
    expect(stderr).toContain(method);
    if (code === 'open-timeout') expect(stderr).toContain('parley: | waiting for a model\n');
  },
);

// On a busy machine the start alone takes some seconds.
test.concurrent('a turn that ends in time after the timeout keeps its stop reason', async () => {
  const { status, stop } = await run({ prompt: [{ until: 'cancel' }] }, '--timeout', '20');
  expect(status).toBe(124);
  expect(stop).toMatchObject({ stopReason: 'cancelled', exitCode: 124 });
});

test.concurrent("a timeout during the shutdown of the agent does not change the turn's result", async () => {
  await using folder = await temporaryFolder();
  const runFor = async (seconds: number): ReturnType<typeof run> => {
    const log = path.join(folder.path, String(seconds));
    // The turn ends a second before the timeout, and the agent's end takes two.
    const prompt = [{ say: 'done' }, { untilTime: Date.now() + (seconds - 1) * 1000 }];
    const ended = await run({ lingers: true, received: log, prompt }, '--timeout', String(seconds));
    // Where a busy machine took longer than that second, the timeout came before the turn's end: that run shows nothing.
    const received = await readFile(log, 'utf8').catch(() => '');
    const isInTime = received.includes('session/prompt') && !received.includes('session/cancel');
    return isInTime ? ended : runFor(seconds + 10);
  };

  const { status, stop } = await runFor(20);

  expect(status).toBe(0);
  expect(stop).toMatchObject({ stopReason: 'end_turn', exitCode: 0 });
});

test.concurrent('an unresponsive agent ends with the command', async () => {
  const { status, stop, stderr } = await run(
    { deaf: true, prompt: [{ stderr: 'pid=' }, { stderr: 'deaf\n' }, { until: 'never' }] },
    '--timeout',
    '20',
  );
  expect(status).toBe(124);
  expect(stop).toMatchObject({ error: { code: 'timeout' }, exitCode: 124 });
  expect(stderr).toContain('| pid=deaf');
});

test('a silent agent ends the run with status 124', async () => {
  const { status, stderr } = await run(
    { prompt: [{ say: 'one' }, { until: 'cancel' }] },
    '--idle-timeout',
    '1',
  );
  expect(status).toBe(124);
  expect(stderr).toContain('--idle-timeout');
});

test('before a silent turn is cancelled, the reason for the wait is printed', async () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 'call', title: 'npm test', kind: 'execute' };
  const script = { prompt: [{ update: call }, { until: 'cancel' }] };
  const { status, stdout, stderr } = await parley([
    'run',
    '--format',
    'json',
    '--idle-timeout',
    '5',
    'go',
    '--',
    ...scripted(script),
  ]);
  expect(status).toBe(124);
  expect(stderr).toMatch(
    /^parley: no response from the agent for 5 s \(--idle-timeout\): .*open tool calls/u,
  );
  const steps = toLines(stdout).filter(({ type }) => type === 'diagnostic');
  expect(steps.map(({ level, code }) => [level, code])).toEqual([
    ['warning', 'turn-timeout'],
    ['info', 'turn-cancel'],
  ]);
  expect(steps[0]?.['message']).toContain('open tool calls: "npm test" (execute)');
});

test.skipIf(process.platform === 'win32')('Ctrl-C cancels the turn and ends with status 130', async () => {
  const child = startParley([
    'run',
    '--format',
    'json',
    'go',
    '--',
    ...scripted({ prompt: [{ say: 'started' }, { until: 'cancel' }] }),
  ]);
  const finished = finish(child);
  await seen(child.stdout, 'started');
  child.kill('SIGINT');
  const { status, stdout } = await finished;
  expect(status).toBe(130);
  expect(stopOf(toLines(stdout))).toMatchObject({ stopReason: 'cancelled', exitCode: 130 });
});

test.skipIf(process.platform === 'win32')('a second Ctrl-C does not wait for the agent', async () => {
  const child = startParley([
    'run',
    '--format',
    'json',
    'go',
    '--',
    ...scripted({
      deaf: true,
      prompt: [{ say: 'started' }, { until: 'cancel' }, { say: 'cancelled' }, { until: 'never' }],
    }),
  ]);
  const finished = finish(child);
  await seen(child.stdout, 'started');
  child.kill('SIGINT');
  await seen(child.stdout, '"cancelled"');
  const start = performance.now();
  child.kill('SIGINT');
  const { status, stdout } = await finished;
  expect(status).toBe(130);
  expect(stopOf(toLines(stdout))).toMatchObject({ error: { code: 'interrupted' }, exitCode: 130 });
  // The grace alone would have been 5 s.
  expect(performance.now() - start).toBeLessThan(4500);
});

test.skipIf(process.platform === 'win32')('TERM ends with status 143', async () => {
  const child = startParley([
    'run',
    '--format',
    'json',
    'go',
    '--',
    ...scripted({ prompt: [{ say: 'started' }, { until: 'cancel' }] }),
  ]);
  const finished = finish(child);
  await seen(child.stdout, 'started');
  child.kill('SIGTERM');
  const { status, stdout } = await finished;
  expect(status).toBe(143);
  expect(stopOf(toLines(stdout))).toMatchObject({ stopReason: 'cancelled', exitCode: 143 });
});

test.skipIf(process.platform === 'win32')(
  'Ctrl-C while the prompt is read ends with status 130',
  async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'config.json');
    await writeFile(file, '{"unknown": 1}');
    const child = startParley(['run', '--format', 'json', '--config', file, '-', '--', ...scripted({})]);
    const finished = finish(child);
    // The configuration is read before the prompt is.
    await seen(child.stdout, 'unknown field');
    child.stdin.write('half a prompt');
    child.kill('SIGINT');
    const { status, stdout } = await finished;
    expect(status).toBe(130);
    expect(stopOf(toLines(stdout))).toMatchObject({ error: { code: 'interrupted' }, exitCode: 130 });
  },
);

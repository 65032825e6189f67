import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isRunning, printedIds } from './living.fixture.ts';
import { type CommandOptions, type CommandResult, runCommand } from './run-command.ts';

const cwd = process.cwd();

function run(line: string, options: Partial<CommandOptions> = {}): Promise<CommandResult> {
  return runCommand({ command: line, shell: true, cwd, ...options });
}

describe.runIf(process.platform !== 'win32')('a command', () => {
  test('ends with its status and what it wrote to both outputs', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      status: { exitCode: 3, signal: null },
      output: expect.stringMatching(/^(out\nerr\n|err\nout\n)$/),
      truncated: false,
    });
  });

  test('has no input unless it is asked for', async () => {
    expect((await run('cat')).output).toBe('');
  });

  test('leaves no process of its group behind', async () => {
    const { output } = await run('sleep 100 & echo $!; (sleep 100 & echo $!)');
    expect(printedIds(output)).toHaveLength(2);
    for (const pid of printedIds(output)) expect(isRunning(pid)).toBe(false);
  });

  test('that dies of a signal reports the signal', async () => {
    expect((await run('kill -USR1 $$')).status).toEqual({ exitCode: null, signal: 'SIGUSR1' });
  });

  test('that cannot be started is refused', async () => {
    await expect(runCommand({ command: '/no/such/command', cwd })).rejects.toMatchObject({
      code: 'not-started',
    });
  });

  test('keeps the end of endless output, in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const result = await run('yes | head -c 200000000; echo the end', { limitBytes: 100_000 });
    expect(result.truncated).toBe(true);
    expect(result.output).toHaveLength(100_000);
    expect(result.output.endsWith('y\nthe end\n')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test('keeps both ends of its output where it is asked to', async () => {
    const line = 'echo the beginning; yes | head -c 1000000; echo the end';
    const { output, truncated } = await run(line, { limitBytes: 100, keep: 'both-ends' });
    expect(truncated).toBe(true);
    expect(output).toMatch(/^the beginning\n(?:y\n)+\[\d+ bytes are left out here\]\n(?:y\n)+the end\n$/u);
  });

  test('is read in whole characters, even if its outputs alternate within one', async () => {
    const pieces: string[] = [];
    const script = `
      const [first, second] = [Buffer.from('€').subarray(0, 2), Buffer.from('€').subarray(2)];
      process.stdout.write(first, () => setTimeout(() => process.stderr.write('x', () =>
        setTimeout(() => process.stdout.write(second), 50)), 50));`;
    const { output } = await runCommand({
      command: process.execPath,
      args: ['-e', script],
      cwd,
      onOutput: (text) => pieces.push(text),
    });
    expect(pieces).toEqual(['x', '€']);
    expect(output).toBe('x€');
  });

  test('that ends in the middle of a character shows a replacement for it', async () => {
    const pieces: string[] = [];
    const { output } = await run(String.raw`printf 'a\342\202'`, { onOutput: (text) => pieces.push(text) });
    expect(pieces.join('')).toBe('a\uFFFD');
    expect(output).toBe('a\uFFFD');
  });
});

describe.runIf(process.platform !== 'win32')('a command that is ended', () => {
  const stubborn = `trap '' TERM; sleep 100 & echo $!; echo $$; while :; do sleep 100; done`;

  test('by its signal dies with its whole group, and keeps what it wrote', async () => {
    const controller = new AbortController();
    const result = await run('sleep 100 & echo $!; echo $$; wait', {
      signal: controller.signal,
      onOutput: (text) => {
        if (text.split('\n').length > 1) controller.abort();
      },
    });
    expect(result).toMatchObject({ ended: 'aborted', status: { exitCode: null, signal: 'SIGTERM' } });
    expect(printedIds(result.output).length).toBeGreaterThan(0);
    for (const pid of printedIds(result.output)) expect(isRunning(pid)).toBe(false);
  });

  test('although it ignores TERM is killed', async () => {
    const controller = new AbortController();
    const running = run(stubborn, {
      signal: controller.signal,
      termMs: 50,
      onOutput: () => controller.abort(),
    });
    const result = await running;
    expect(result).toMatchObject({ ended: 'aborted', status: { exitCode: null, signal: 'SIGKILL' } });
    for (const pid of printedIds(result.output)) expect(isRunning(pid)).toBe(false);
  });

  test('before it began does not begin', async () => {
    expect(await runCommand({ command: '/no/such/command', cwd, signal: AbortSignal.abort() })).toEqual({
      status: { exitCode: null, signal: null },
      output: '',
      truncated: false,
      ended: 'aborted',
    });
  });

  test('while it starts is ended', async () => {
    const controller = new AbortController();
    const running = run('sleep 100', { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ ended: 'aborted' });
  });

  test('for its silence reports that', async () => {
    expect(await run('echo once; sleep 100', { idleMs: 200 })).toMatchObject({
      ended: 'idle',
      output: 'once\n',
    });
  });

  test('for its duration reports that, however much it writes', async () => {
    const result = await run('while :; do echo again; sleep 0.01; done', { timeoutMs: 200, idleMs: 10_000 });
    expect(result).toMatchObject({ ended: 'timeout' });
  });

  test('after it exited by itself was not ended', async () => {
    const controller = new AbortController();
    const result = await run('echo done', { signal: controller.signal, timeoutMs: 60_000, idleMs: 60_000 });
    controller.abort();
    await delay(0);
    expect(result).not.toHaveProperty('ended');
  });

  test('because its listener fails is dead when the failure arrives', async () => {
    let heard = '';
    const failure = new Error('the listener failed');
    const running = run(stubborn, {
      onOutput: (text) => {
        heard += text;
        throw failure;
      },
    });
    await expect(running).rejects.toBe(failure);
    expect(printedIds(heard).length).toBeGreaterThan(0);
    for (const pid of printedIds(heard)) expect(isRunning(pid)).toBe(false);
  });
});

import { chmod, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { isRunning, isStopped, printedIds } from './living.fixture.ts';
import type { ProcessGroup } from './process-group.ts';
import { type ProcessOptions, startProcess } from './start-process.ts';

const cwd = process.cwd();
const hasPosixShell = process.platform !== 'win32';

function startShell(line: string, options: Partial<ProcessOptions> = {}): Promise<ProcessGroup> {
  return startProcess({ command: line, shell: true, cwd, ...options });
}

/** Reads until the process has printed a line, and returns what it printed so far. */
async function firstLine(group: ProcessGroup): Promise<string> {
  let read = '';
  return new Promise((resolve) => {
    group.stdout.on('data', (bytes: Buffer) => {
      read += bytes.toString();
      if (read.endsWith('\n')) resolve(read);
    });
  });
}

test('a process gets its arguments, directory and environment, and reports its exit code', async () => {
  await using directory = await temporaryDirectory();
  const script =
    'console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.A, "HOME" in process.env])); process.exit(7)';
  const group = await startProcess({
    command: process.execPath,
    args: ['-e', script, '--', 'a b', '$HOME', '"'],
    cwd: directory.path,
    env: { A: 'set', HOME: undefined },
  });
  expect(JSON.parse(await text(group.stdout))).toEqual([['a b', '$HOME', '"'], directory.path, 'set', false]);
  expect(await group.exited).toEqual({ exitCode: 7, signal: null });
  expect(await group.closed).toEqual({ exitCode: 7, signal: null });
  expect(await group.end()).toEqual({ exitCode: 7, signal: null });
});

describe('what cannot be started is refused, naming the command and the directory', () => {
  test.each([
    ['a command that is not there', { command: '/no/such/command', cwd }, /command not found/],
    ['a directory that is not there', { command: process.execPath, cwd: '/no/such/directory' }, /directory/],
    ['a file as directory', { command: process.execPath, cwd: process.execPath }, /directory/],
    ['a NUL byte in an argument', { command: process.execPath, args: ['a\0b'], cwd }, /NUL/],
    ['an empty command', { command: '', cwd }, /empty/],
    ['arguments too large', { command: process.execPath, args: ['x'.repeat(4_000_000)], cwd }, /too large/],
    [
      'arguments of a shell line',
      { command: 'echo', args: ['a'], shell: true, cwd },
      /cannot have arguments/,
    ],
  ])('%s', async (_, options, reason) => {
    const starting = startProcess(options);
    await expect(starting).rejects.toMatchObject({ name: 'WorkspaceError', code: 'not-started' });
    await expect(starting).rejects.toThrow(reason);
    await expect(starting).rejects.toThrow(JSON.stringify(options.command));
    await expect(starting).rejects.toThrow(JSON.stringify(options.cwd));
  });

  test.runIf(hasPosixShell)('a file that is not executable', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('plain'), '#!/bin/sh\n');
    await chmod(directory.at('plain'), 0o644);
    const starting = startProcess({ command: directory.at('plain'), cwd });
    await expect(starting).rejects.toMatchObject({ code: 'not-started' });
    await expect(starting).rejects.toThrow(/not executable/);
  });
});

describe.runIf(hasPosixShell)('the end of a process group', () => {
  test('closing its input is enough for a process that reads it', async () => {
    await using group = await startShell('cat; exit 5');
    expect(await group.end()).toEqual({ exitCode: 5, signal: null });
  });

  test('a process that does not end receives SIGTERM', async () => {
    await using group = await startProcess({ command: 'sleep', args: ['100'], cwd });
    expect(await group.end({ inputMs: 1 })).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(isRunning(group.pid)).toBe(false);
  });

  test('a process that ignores TERM gets KILL, and so do its children', async () => {
    await using group = await startShell(`trap '' TERM; sleep 100 & echo $!; while :; do sleep 100; done`);
    const [child = 0] = printedIds(await firstLine(group));
    expect(isRunning(child)).toBe(true);
    expect(await group.end({ inputMs: 1, termMs: 50 })).toEqual({ exitCode: null, signal: 'SIGKILL' });
    expect(isRunning(child)).toBe(false);
    expect(isRunning(group.pid)).toBe(false);
  });

  test('a stopped process is killed', async () => {
    await using group = await startShell('kill -STOP $$; sleep 100');
    // Sent before it is stopped, SIGTERM would end it.
    await expect.poll(() => isStopped(group.pid)).toBe(true);
    expect(await group.end({ inputMs: 1, termMs: 50 })).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  test('a process that does not read its input does not delay the end', async () => {
    await using group = await startProcess({ command: 'sleep', args: ['100'], cwd });
    group.stdin.write('x'.repeat(1_000_000));
    expect(await group.end({ inputMs: 1 })).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('children outlive a clean exit by no more than their TERM', async () => {
    await using group = await startShell('sleep 100 & echo $!');
    const [child = 0] = printedIds(await text(group.stdout));
    expect(await group.closed).toEqual({ exitCode: 0, signal: null });
    expect(isRunning(child)).toBe(false);
  });

  test('children that ignore TERM are killed after a clean exit', async () => {
    await using group = await startShell(
      `(trap '' TERM; echo started; sleep 100; sleep 100) & echo $!; read line`,
    );
    let output = '';
    group.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
    await expect.poll(() => output).toMatch(/started/);
    await group.end({ termMs: 50 });
    expect(await group.exited).toEqual({ exitCode: 1, signal: null });
    for (const child of printedIds(output)) expect(isRunning(child)).toBe(false);
    expect(printedIds(output)).toHaveLength(1);
  });

  test('kill ends the whole group at once', async () => {
    await using group = await startShell(`trap '' TERM; sleep 100 & echo $!; wait`);
    const [child = 0] = printedIds(await firstLine(group));
    group.kill();
    expect(await group.closed).toEqual({ exitCode: null, signal: 'SIGKILL' });
    expect(isRunning(child)).toBe(false);
  });

  test('to end twice, or after the exit, is the same end', async () => {
    await using group = await startProcess({ command: 'sleep', args: ['100'], cwd });
    const [first, second] = await Promise.all([group.end({ inputMs: 1 }), group.end({ inputMs: 100_000 })]);
    expect(first).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(second).toEqual(first);
    expect(await group.end()).toEqual(first);
    group.kill();
  });

  test('a group is ended when its block is left', async () => {
    let pid = 0;
    {
      await using group = await startShell('cat > /dev/null');
      ({ pid } = group);
      expect(isRunning(pid)).toBe(true);
    }
    expect(isRunning(pid)).toBe(false);
  });
});

describe.runIf(hasPosixShell)('the streams of a process group', () => {
  test('all output is read, even if the process ends long before its reader', async () => {
    await using group = await startShell('head -c 150000 /dev/zero');
    let bytes = 0;
    for await (const chunk of group.stdout) {
      await group.exited;
      // Longer than an idle stream would be waited for.
      await delay(250);
      bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    }
    expect(bytes).toBe(150_000);
    expect(await group.closed).toEqual({ exitCode: 0, signal: null });
  });

  test('writing to an ended process has no effect', async () => {
    await using group = await startShell('exit 0');
    await group.exited;
    await new Promise((resolve) => {
      group.stdin.write('unread', resolve);
    });
    expect(await group.closed).toEqual({ exitCode: 0, signal: null });
  });

  test('a process without input reads nothing, and writing to it fails softly', async () => {
    await using group = await startShell('cat; echo done', { input: 'ignore' });
    const refused = new Promise((resolve) => {
      group.stdin.write('unread', resolve);
    });
    expect(await text(group.stdout)).toBe('done\n');
    expect(await refused).toBeInstanceOf(Error);
  });

  test('a descendant out of reach that keeps the output open hangs nothing', async () => {
    const escape = `
      const child = require('child_process').spawn('sleep', ['100'], { detached: true, stdio: 'inherit' });
      console.log(child.pid);
      child.unref();`;
    await using group = await startProcess({ command: process.execPath, args: ['-e', escape], cwd });
    const [escaped = 0] = printedIds(await firstLine(group));
    try {
      expect(await group.closed).toEqual({ exitCode: 0, signal: null });
      expect(group.stdout.destroyed).toBe(true);
      expect(isRunning(escaped)).toBe(true);
    } finally {
      process.kill(escaped, 'SIGKILL');
    }
  });

  test('a descendant out of reach that writes without end hangs nothing', async () => {
    const escape = `
      const child = require('child_process').spawn('yes', [], { detached: true, stdio: 'inherit' });
      console.error(child.pid);
      child.unref();`;
    await using group = await startProcess({ command: process.execPath, args: ['-e', escape], cwd });
    group.stdout.resume();
    const ids = text(group.stderr);
    // It dies of the broken pipe when its output is closed.
    expect(await group.closed).toEqual({ exitCode: 0, signal: null });
    const [escaped = 0] = printedIds(await ids);
    await expect.poll(() => isRunning(escaped)).toBe(false);
  });

  test('unread output does not delay the end', async () => {
    await using group = await startShell('echo unread; cat');
    group.stdout.pause();
    expect(await group.end()).toEqual({ exitCode: 0, signal: null });
    expect(group.stdout.destroyed).toBe(true);
  });
});

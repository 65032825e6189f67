import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cleanEnv,
  commandFile,
  finish,
  parley,
  seen,
  startParley,
  temporaryFolder,
  toLines,
} from './command.ts';

const json = ['run', '--format', 'json', '--approve', 'all'];

function sessionIdOf(stdout: string): string {
  return String(toLines(stdout).find(({ type }) => type === 'session')?.['sessionId']);
}

/** The lines an ACP client would send. */
function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

/** The answer to a request among the lines of an agent, and what stands before it. */
function splitAtAnswer(stdout: string, id: number): { readonly before: string; readonly answer: unknown } {
  const lines = stdout.split('\n');
  const index = lines.findIndex((line) => line.includes(`"id":${String(id)},`) && !line.includes('"method"'));
  return { before: lines.slice(0, index).join('\n'), answer: JSON.parse(lines[index] ?? 'null') };
}

const initialize = request(0, 'initialize', { protocolVersion: 1 });

describe('parley run', () => {
  test('--session continues a session of our own agent', async () => {
    await using folder = await temporaryFolder();
    const first = await parley([...json, 'say: one'], { cwd: folder.path });
    const sessionId = sessionIdOf(first.stdout);
    const second = await parley([...json, '--session', sessionId, 'say: two'], { cwd: folder.path });
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(sessionIdOf(second.stdout)).toBe(sessionId);
    expect(second.stdout).toContain('"two"');
    expect(second.stdout).not.toContain('"one"');
  });

  test('--session takes the ids that sessions list shows, whole and short', async () => {
    await using folder = await temporaryFolder();
    const first = await parley([...json, 'say: one'], { cwd: folder.path });
    const { stdout } = await parley(['sessions', 'list'], { cwd: folder.path });
    const [shown = ''] = /^[\da-f]{8}(?= )/mu.exec(stdout) ?? [];
    const listed = await parley(['sessions', 'list', '--json'], { cwd: folder.path });
    const [{ id }] = (JSON.parse(listed.stdout) as { readonly sessions: [{ readonly id: string }] }).sessions;

    for (const typed of [shown, id]) {
      const second = await parley([...json, '--session', typed, 'say: two'], { cwd: folder.path });
      expect(second).toMatchObject({ status: 0, stderr: '' });
      expect(sessionIdOf(second.stdout)).toBe(sessionIdOf(first.stdout));
    }
  });

  test('--continue continues the last session of the folder', async () => {
    await using folder = await temporaryFolder();
    const env = { PARLEY_HOME: path.join(folder.path, '.home') };
    const other = path.join(folder.path, 'other');
    await mkdir(other);
    const first = await parley([...json, 'say: one'], { cwd: folder.path, env });
    await parley([...json, 'say: elsewhere'], { cwd: other, env });
    const second = await parley([...json, '--continue', 'say: two'], { cwd: folder.path, env });
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(sessionIdOf(second.stdout)).toBe(sessionIdOf(first.stdout));
  });

  test('--session of an unknown session, and --continue without any, end with status 2', async () => {
    await using folder = await temporaryFolder();
    const unknown = ['--session', 'sess_00000000-0000-4000-8000-000000000000'];
    for (const choice of [unknown, ['--continue']]) {
      expect(await parley([...json, ...choice, 'say: two'], { cwd: folder.path })).toMatchObject({
        status: 2,
      });
    }
  });

  test('leaves no lock', async () => {
    await using folder = await temporaryFolder();
    const { stdout } = await parley([...json, 'say: one'], { cwd: folder.path });
    const sessions = path.join(folder.path, '.home', 'agent', 'sessions');
    expect(await readdir(sessions)).toEqual([`${sessionIdOf(stdout)}.jsonl`]);
  });
});

describe('parley agent --resume', () => {
  test('restores and replays the session, and returns its stored id', async () => {
    await using folder = await temporaryFolder();
    const sessionId = sessionIdOf((await parley([...json, 'say: one'], { cwd: folder.path })).stdout);
    for (const words of [
      ['agent', '--resume'],
      ['agent', '--resume', sessionId],
    ]) {
      const input = initialize + request(1, 'session/new', { cwd: folder.path, mcpServers: [] });
      const { status, stdout, stderr } = await parley(words, { cwd: folder.path, input });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { before, answer } = splitAtAnswer(stdout, 1);
      expect(before).toContain('"one"');
      expect(answer).toMatchObject({ result: { sessionId } });
    }
  });

  test('starts a new session with a warning if the stored one is missing', async () => {
    await using folder = await temporaryFolder();
    const input = initialize + request(1, 'session/new', { cwd: folder.path, mcpServers: [] });
    const { status, stdout, stderr } = await parley(['agent', '--resume', 'nobody'], {
      cwd: folder.path,
      input,
    });
    expect(status).toBe(0);
    expect(stdout).toContain('"sessionId":"sess_');
    expect(stderr).toContain('started a new one');
  });
});

describe.skipIf(process.platform === 'win32')('an agent that is ended in a turn', () => {
  async function startTurn(
    cwd: string,
    prompt: string,
  ): Promise<{
    readonly child: ReturnType<typeof startParley>;
    readonly sessionId: string;
  }> {
    const child = startParley(['agent'], { cwd });
    child.stdin.write(initialize + request(1, 'session/new', { cwd, mcpServers: [] }));
    let answered = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        answered += chunk.toString();
        if (/"sessionId":"sess_[^"]*"[^\n]*\n/.test(answered)) resolve();
      });
    });
    const sessionId = /"sessionId":"(sess_[^"]*)"/.exec(answered)?.[1] ?? '';
    child.stdin.write(request(2, 'session/set_mode', { sessionId, modeId: 'full-access' }));
    const ready = seen(child.stdout, 'ready');
    child.stdin.write(request(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] }));
    await ready;
    return { child, sessionId };
  }

  function load(cwd: string, sessionId: string): Promise<Awaited<ReturnType<typeof parley>>> {
    const input = initialize + request(1, 'session/load', { sessionId, cwd, mcpServers: [] });
    return parley(['agent'], { cwd, input });
  }

  test('by SIGKILL loses only its running step, which load reports', async () => {
    await using folder = await temporaryFolder();
    const prompt = 'say: one\nrun echo first step\nsay: two\nrun echo "rea"dy; exec sleep 30';
    const { child, sessionId } = await startTurn(folder.path, prompt);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { status, stdout } = await load(folder.path, sessionId);
    expect(status).toBe(0);
    for (const text of ['"one"', '"two"', 'first step', '"code":"interrupted"', 'was interrupted']) {
      expect(stdout).toContain(text);
    }
    const again = await parley([...json, '--session', sessionId, 'say: three'], { cwd: folder.path });
    expect(again).toMatchObject({ status: 0 });
  });

  test.each(['end of input', 'SIGTERM'])('by %s cancels, saves and ends with status 0', async (ending) => {
    await using folder = await temporaryFolder();
    const { child, sessionId } = await startTurn(folder.path, 'say: one\nrun echo "rea"dy; exec sleep 600');
    const finished = finish(child);
    if (ending === 'SIGTERM') child.kill('SIGTERM');
    else child.stdin.end();
    expect((await finished).status).toBe(0);
    const { stdout } = await load(folder.path, sessionId);
    expect(stdout).toContain('"one"');
    expect(stdout).toContain('"status":"failed"');
    expect(stdout).not.toContain('interrupted');
    expect(await readdir(path.join(folder.path, '.home', 'agent', 'sessions'))).toEqual([
      `${sessionId}.jsonl`,
    ]);
  });

  test('by KILL at any moment can be resumed', async () => {
    await using folder = await temporaryFolder();
    const prompt = Array.from(
      { length: 60 },
      (_, step) => `say: step ${String(step)} .\ncall think {"thought": "${String(step)}"}`,
    );
    for (const moment of [1, 7, 23, 41]) {
      const { child, sessionId } = await startTurn(
        folder.path,
        [...prompt.slice(0, moment), 'say: ready', ...prompt.slice(moment)].join('\n'),
      );
      child.kill('SIGKILL');
      await once(child, 'close');
      const { status, stdout, stderr } = await load(folder.path, sessionId);
      const { answer } = splitAtAnswer(stdout, 1);
      expect({ status, stderr, answer }).toMatchObject({ status: 0, stderr: '', answer: { result: {} } });
      const steps = [...stdout.matchAll(/"step (\d+) \."/g)].map(([, step]) => Number(step));
      expect(steps).toEqual(steps.map((_, index) => index));
      expect(steps.length).toBeGreaterThanOrEqual(Math.floor(moment / 2));
    }
  });
});

test.runIf(process.platform === 'linux')(
  'on a full disk each prompt is refused with the reason',
  async () => {
    await using folder = await temporaryFolder();
    const home = path.join(folder.path, '.home');
    // As many blocks as the session's beginning needs, and no more.
    const child = spawn(
      'bash',
      ['-c', `ulimit -f 8; trap '' XFSZ; exec "$@"`, 'bash', process.execPath, commandFile, 'agent'],
      { cwd: folder.path, env: cleanEnv(home) },
    );
    const finished = finish(child);
    child.stdin.write(initialize + request(1, 'session/new', { cwd: folder.path, mcpServers: [] }));
    let answered = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        answered += chunk.toString();
        if (/"sessionId":"sess_[^"]*"[^\n]*\n/.test(answered)) resolve();
      });
    });
    const sessionId = /"sessionId":"(sess_[^"]*)"/.exec(answered)?.[1] ?? '';
    const text = `say: ${'x'.repeat(20_000)}`;
    for (const id of [2, 3, 4]) {
      const done = seen(child.stdout, `"id":${String(id)}`);
      child.stdin.write(request(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] }));
      await done;
    }
    child.stdin.end();
    const { status, stdout } = await finished;
    expect(status).toBe(0);
    expect(stdout.match(/"stopReason":"end_turn"/g)).toBeNull();
    expect(stdout.match(/"error":[^\n]*cannot be saved[^\n]*\.jsonl/g)).toHaveLength(3);
  },
);

test('a configuration folder that cannot be written to does not prevent a run', async () => {
  await using folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  await mkdir(home);
  await writeFile(path.join(home, 'agent'), 'a file where a folder should be');
  const { status, stdout } = await parley([...json, 'say: one'], {
    cwd: folder.path,
    env: { PARLEY_HOME: home },
  });
  expect(status).toBe(0);
  expect(stdout).toContain('is not saved any more');
});

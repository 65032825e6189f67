import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { delegatingAgent } from '@parley/conformance';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { expect, test } from 'vitest';
import { parley, scripted, stopOf, temporaryFolder, toLines, type Finished, type Line } from './command.ts';

const engine = await findSandboxEngine({ projects: [] });
const isHeld = engine.name !== 'none';
const visible = process.env['PARLEY_TEST_VISIBLE'];
/** A repository in /tmp has no folder that a sandbox shows: it hides all of /tmp. */
const isHidden = /^\/(?:var\/)?tmp\//u.test(visible ?? '');

/** What an agent said, by the beginning of each line. */
function saidIn({ stdout }: Finished): string {
  return toLines(stdout)
    .flatMap(({ update }) => (JSON.stringify(update ?? '').includes('agent_message_chunk') ? [update] : []))
    .map((update) => JSON.stringify(update))
    .join('\n')
    .replaceAll(String.raw`\"`, '"');
}

const run = (cwd: string, steps: readonly object[], ...flags: string[]): Promise<Finished> =>
  parley(
    ['run', '--format', 'json', '--approve', 'all', ...flags, 'go', '--', ...scripted({ prompt: steps })],
    { cwd },
  );

test.skipIf(!isHeld)(
  'in the mode "workspace" the agent writes in the folder, and neither outside nor to protected names, by itself or through the client',
  async () => {
    await using folder = await temporaryFolder();
    const project = path.join(folder.path, 'project');
    await mkdir(project);
    await promisify(execFile)('git', ['init', '-q'], { cwd: project });
    await writeFile(path.join(folder.path, 'outside.txt'), 'before');
    const outside = path.join(folder.path, 'outside.txt');
    const write = (file: string): object => ({
      ask: { method: 'fs/write_text_file', params: { path: path.join(project, file), content: file } },
    });
    const finished = await run(
      project,
      [
        { shell: 'echo own > own.txt && cat own.txt' },
        { shell: `echo x > ${outside}` },
        { shell: 'echo x > .git/hooks/pre-commit' },
        { shell: `ls ${path.join(homedir(), '.ssh')} ${path.join(project, '.home')}` },
        write('client.txt'),
        write('.git/hooks/pre-commit'),
        {
          ask: {
            method: 'terminal/create',
            params: { command: `echo x > ${outside}; echo y > terminal.txt` },
          },
        },
        { ask: { method: 'terminal/wait_for_exit', params: { terminalId: true } } },
      ],
      '--sandbox',
      'workspace',
    );
    expect(stopOf(toLines(finished.stdout))).toMatchObject({ stopReason: 'end_turn' });
    const session = toLines(finished.stdout).find(({ type }) => type === 'session');
    expect(session?.['sandbox']).toEqual({ mode: 'workspace', engine: engine.name });
    const said = saidIn(finished);
    expect(said).toContain('"status":0,"output":"own"');
    expect(said).toMatch(/fs\/write_text_file: \{\}/u);
    expect(said).toMatch(/Not allowed: write[^}]*the sandbox/u);
    expect(await readFile(path.join(project, 'client.txt'), 'utf8')).toBe('client.txt');
    expect(await readFile(path.join(project, 'terminal.txt'), 'utf8')).toBe('y\n');
    expect(await readFile(path.join(folder.path, 'outside.txt'), 'utf8').catch(() => 'gone')).toBe('before');
    await expect(readFile(path.join(project, '.git/hooks/pre-commit'))).rejects.toThrow('ENOENT');

    const shown = await parley(['sessions', 'show', String(session?.['sessionId'])], { cwd: project });
    expect(shown.stdout).toContain(`sandbox: workspace (${engine.name})`);
  },
);

test.skipIf(!isHeld)(
  'in the mode "read-only" neither the agent nor the client writes, and "off" of a project does not widen it',
  async () => {
    await using folder = await temporaryFolder();
    const { path: project } = folder;
    await mkdir(path.join(project, '.parley'));
    await writeFile(path.join(project, '.parley', 'config.json'), JSON.stringify({ sandbox: 'off' }));
    await mkdir(path.join(project, '.home'));
    await writeFile(
      path.join(project, '.home', 'config.json'),
      JSON.stringify({ sandbox: { mode: 'read-only', hide: ['secret.txt'] } }),
    );
    await writeFile(path.join(project, 'secret.txt'), 'hidden words');
    const file = path.join(project, 'client.txt');
    const finished = await run(project, [
      { shell: 'echo own > own.txt' },
      { shell: 'cat secret.txt' },
      { ask: { method: 'fs/write_text_file', params: { path: file, content: 'x' } } },
      { ask: { method: 'fs/read_text_file', params: { path: path.join(project, 'secret.txt') } } },
    ]);
    const session = toLines(finished.stdout).find(({ type }) => type === 'session');
    expect(session?.['sandbox']).toEqual({ mode: 'read-only', engine: engine.name });
    const said = saidIn(finished);
    expect(said).not.toContain('hidden words');
    expect(said.match(/Not allowed: (?:read|write)/gu)).toEqual(['Not allowed: write', 'Not allowed: read']);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    await expect(readFile(path.join(project, 'own.txt'))).rejects.toThrow('ENOENT');
  },
);

test.skipIf(!isHeld)("a project's file asks for a sandbox without being trusted", async () => {
  await using folder = await temporaryFolder();
  const { path: project } = folder;
  await mkdir(path.join(project, '.parley'));
  await writeFile(path.join(project, '.parley', 'config.json'), JSON.stringify({ sandbox: 'workspace' }));
  const own = await parley(['run', '--format', 'json', '--approve', 'edits', 'write notes.txt: hello'], {
    cwd: project,
  });
  const lines = toLines(own.stdout);
  // What it says on standard error explains a failure.
  expect({ status: own.status, stderr: own.stderr }).toMatchObject({ status: 0 });
  expect(lines.find(({ type }) => type === 'session')).toMatchObject({ sandbox: { mode: 'workspace' } });
  expect(await readFile(path.join(project, 'notes.txt'), 'utf8')).toContain('hello');
});

test.skipIf(!isHeld)('a held agent delegates without a network, and its delegate is held too', async () => {
  await using folder = await temporaryFolder();
  const task = 'call mcp__parley-team__delegate {"agent":"parley","prompt":"say: hello"}';
  const flags = ['--sandbox', 'workspace', '--team', 'parley', '--approve', 'all', '--format', 'json'];
  const own = toLines((await parley(['run', ...flags, task], { cwd: folder.path })).stdout);

  expect(stopOf(own)).toMatchObject({ stopReason: 'end_turn' });
  const id = subagentsIn(own)[0]?.['sessionId'];
  expect(subagentsIn(own).at(-1)).toMatchObject({ sessionId: id, state: { stopReason: 'end_turn' } });
  expect(JSON.stringify(own.filter(({ sessionId }) => sessionId === id))).toContain('hello');
  const shown = await parley(['sessions', 'show', String(id)], { cwd: folder.path });
  expect(shown.stdout).toContain(`sandbox: workspace (${engine.name})`);

  const calls = [
    ['delegate', { agent: 'parley', prompt: 'say: hello' }],
    ['wait', { id: 0 }],
  ];
  const other = await parley(['run', ...flags, JSON.stringify(calls), '--', ...delegatingAgent()], {
    cwd: folder.path,
  });
  expect(saidIn(other)).toContain('"stopReason":"end_turn","message":"hello"');
});

/** What the lines say about sub-agents. */
function subagentsIn(lines: readonly Line[]): readonly Record<string, unknown>[] {
  return lines.flatMap(({ update }) => {
    const found = update as Record<string, unknown> | undefined;
    return found?.['sessionUpdate'] === 'subagent_update' ? [found] : [];
  });
}

test('an agent whose sandbox is not available does not start, and the message says why and what to do', async () => {
  await using folder = await temporaryFolder();
  const started = path.join(folder.path, 'started');
  const agent = scripted({ received: started });
  const missing = await parley(['run', '--sandbox', 'workspace', 'go', '--', ...agent], {
    cwd: folder.path,
    env: { PATH: folder.path },
  });
  expect(missing).toMatchObject({ status: 1, stdout: '' });
  expect(missing.stderr).toMatch(/in the sandbox \(workspace\): .+ or start it with --sandbox off/u);
  // A program in the project's own folder is not used as the engine.
  await using broken = await temporaryFolder();
  await writeFile(path.join(broken.path, 'bwrap'), '#!/bin/sh\necho "bwrap: no room" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const failed = await parley(['run', '--sandbox', 'workspace', 'go', '--', ...agent], {
    cwd: folder.path,
    env: { PATH: `${broken.path}:${process.env['PATH'] ?? ''}` },
  });
  expect(failed).toMatchObject({ status: 1, stdout: '' });
  expect(failed.stderr).toContain('bwrap: no room');
  const remote = await parley(['run', '--sandbox', 'read-only', '-a', 'ws://127.0.0.1:9/acp', 'go'], {
    cwd: folder.path,
  });
  expect(remote.status).toBe(1);
  expect(remote.stderr).toContain('it runs on another machine');
  await expect(readFile(started)).rejects.toThrow('ENOENT');
});

test.skipIf(!isHeld || isHidden)(
  'a socket of another program that is removed while the sandbox starts does not prevent the agent',
  async () => {
    await using folder = await temporaryFolder();
    await using around = await temporaryFolder(visible);
    const socket = path.join(around.path, 'socket');
    await using server = createServer().listen(socket);
    await once(server, 'listening');
    const starts = path.join(around.path, 'starts');
    // The engine, found first in PATH: it removes the socket right before it begins.
    const name = engine.name === 'bubblewrap' ? 'bwrap' : 'unshare';
    const program = engine.name === 'none' ? '' : engine.program;
    await writeFile(
      path.join(around.path, name),
      `#!/bin/sh\necho start >>'${starts}'\nrm -f '${socket}'\nexec ${program} "$@"\n`,
      { mode: 0o755 },
    );
    const { status, stdout } = await parley(
      [
        'run',
        '--format',
        'json',
        '--sandbox',
        'workspace',
        'go',
        '--',
        ...scripted({ prompt: [{ say: 'hello' }] }),
      ],
      { cwd: folder.path, env: { PATH: `${around.path}:${process.env['PATH'] ?? ''}` } },
    );
    expect(status).toBe(0);
    expect(stopOf(toLines(stdout))).toMatchObject({ stopReason: 'end_turn' });
    expect(await readFile(starts, 'utf8')).toBe('start\nstart\n');
  },
);

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, SessionChanges } from '@parley/host';
import { expect, test } from 'vitest';
import { parleyAlone, scripted, startParley, temporaryFolder } from './command.ts';
import { testRepository } from './repository.ts';

test('a turn interrupted by a kill is closed by the next start, and can be undone', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const stateDir = path.join(cwd, '.home');
  await writeFile(path.join(cwd, 'a.txt'), 'before\n');
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'write',
    kind: 'execute',
    status: 'in_progress',
  };
  const agent = scripted({
    prompt: [
      {
        ask: { method: 'fs/write_text_file', params: { path: path.join(cwd, 'a.txt'), content: 'after\n' } },
      },
      { update: call },
      { say: 'working' },
      { until: 'never' },
    ],
  });
  const killed = startParley(['run', 'go', '--approve', 'all', '--', ...agent], { cwd });
  killed.stdout.setEncoding('utf8');
  for await (const text of killed.stdout) if (String(text).includes('working')) break;
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;

  const store = filesStore(path.join(stateDir, 'sessions'));
  const [head] = await store.list();
  const changes = new SessionChanges({
    key: () => head?.key ?? '',
    eventLogs: { store, program: 'test 1' },
    settingsIn: () => ({ stateDir }),
  });

  expect((await changes.list()).turns).toMatchObject([
    { turn: 1, undone: false, files: [{ path: 'a.txt', status: 'modified', reported: true }] },
  ]);
  expect(await changes.undo({})).toMatchObject({ undone: 1, conflicts: [] });
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('before\n');
  expect((await changes.list()).turns[0]?.undone).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'an undo whose parley was killed when the files were written is completed by the next start, which says so',
  async () => {
    await using repo = await testRepository();
    await repo.run(['--approve', 'all', 'write a.txt: two']);
    const file = path.join(repo.path, 'a.txt');
    const bin = path.join(repo.home, 'killing');
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    await mkdir(bin);
    const script = `#!/bin/sh\nif [ "$(cat '${file}')" = one ]; then kill -9 $PPID; exit 1; fi\nexec '${git}' "$@"\n`;
    await writeFile(path.join(bin, 'git'), script, { mode: 0o755 });
    const env = { PARLEY_HOME: repo.home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };

    const { status } = await parleyAlone(['changes', 'undo'], { cwd: repo.path, env });

    expect(status).toBeNull();
    expect(await readFile(file, 'utf8')).toBe('one\n');
    const { stdout, stderr } = await repo.parley(['changes', 'list', '--json']);
    const list = JSON.parse(stdout) as { readonly sessionId: string };
    expect(list).toMatchObject({ turns: [{ turn: 1, undone: true }] });
    expect(stderr).toContain('an undo was interrupted, and is completed now');
    expect(await repo.parley(['changes', 'redo'])).toMatchObject({ status: 0 });
    expect(await readFile(file, 'utf8')).toBe('two');
    const shown = await repo.parley(['sessions', 'show', list.sessionId, '--raw']);
    expect(shown.stdout).toContain('an undo was interrupted, and is completed now');

    // Another session that begins in the folder says so too.
    await parleyAlone(['changes', 'undo'], { cwd: repo.path, env });
    const { lines } = await repo.run(['say: hi']);
    expect(lines).toContainEqual(
      expect.objectContaining({
        type: 'diagnostic',
        message: `in session ${list.sessionId}, an undo was interrupted, and is completed now`,
      }),
    );
    expect(await repo.parley(['changes', 'redo', list.sessionId])).toMatchObject({ status: 0 });
  },
);

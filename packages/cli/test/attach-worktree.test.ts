import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { parley, temporaryFolder } from './command.ts';
import { joinHub, linesOf, startTestHub } from './hub.ts';

/** A repository with the state folder of the hub in it, which git does not ignore. */
async function repositoryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await temporaryFolder();
  const git = (...words: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder.path,
    });
  git('init', '-q');
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  await writeFile(path.join(folder.path, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  return folder;
}

const begin = ['attach', '--new', '--format', 'json'];

test('a session of the hub works in a worktree, continues there after a restart, and is listed with it', async () => {
  await using folder = await repositoryFolder();
  const { path: cwd } = folder;
  const before = await startTestHub(cwd);

  const first = linesOf(await parley([...begin, '--worktree=fix', '--prompt', 'say: hello'], { cwd }));
  const session = first.find(({ type }) => type === 'session');
  const worktree = session?.['worktree'] as { readonly path: string };
  await before.end();
  await using hub = await startTestHub(cwd);
  await using page = await joinHub(hub.file);
  const key = String(session?.['sessionId']);
  const again = await parley(['attach', key, '--prompt', 'say: again', '--format', 'quiet'], { cwd });
  const listed = await page.connection.request('session/list', {});
  const attended = await page.connection.request(hubMethods.attend, {});

  expect(worktree).toMatchObject({ name: 'fix', branch: 'parley/fix' });
  expect(session?.['cwd']).toBe(worktree.path);
  expect(await readFile(path.join(worktree.path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(again).toMatchObject({ status: 0, stdout: 'again\n' });
  expect(listed).toMatchObject({
    sessions: [{ cwd: worktree.path, _meta: { 'parley/worktree': worktree } }],
  });
  expect(attended).toMatchObject({ sessions: [{ worktree }] });
  const { stdout } = await parley(['worktrees', 'list', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ worktrees: [{ name: 'fix', session: key, state: 'clean' }] });
});

test('a worktree in use by the hub is rejected with status 5, and wrong usage with status 2', async () => {
  await using folder = await repositoryFolder();
  const { path: cwd } = folder;
  await using _hub = await startTestHub(cwd);
  await parley([...begin, '--worktree=fix', '--prompt', 'say: hello'], { cwd });

  const attached = await parley([...begin, '--worktree=fix', '--prompt', 'say: x'], { cwd });
  const run = await parley(['run', '--worktree=fix', 'say: x'], { cwd });
  const removed = await parley(['worktrees', 'remove', 'fix'], { cwd });
  const wrong = await parley([...begin, '--worktree=../x', '--prompt', 'say: x'], { cwd });
  const alone = await parley(['attach', '--worktree=x', '--prompt', 'say: x'], { cwd });

  expect([attached, run, removed, wrong, alone].map(({ status }) => status)).toEqual([5, 5, 5, 2, 2]);
  expect(alone.stderr).toContain('--worktree requires --new');
});

test('a failed start leaves no worktree, and an untrusted setup script is reported', async () => {
  await using folder = await repositoryFolder();
  const { path: cwd } = folder;
  await mkdir(path.join(cwd, '.parley'));
  await writeFile(path.join(cwd, '.parley/setup'), 'touch ran\n');
  await using _hub = await startTestHub(cwd);

  const failed = await parley([...begin, '--worktree=x', '--model', 'no/such', '--prompt', 'x'], { cwd });
  const empty = await parley(['worktrees', 'list', '--json'], { cwd });
  const begun = await parley([...begin, '--worktree=y', '--prompt', 'say: x'], { cwd });

  expect(failed.status).not.toBe(0);
  expect(JSON.parse(empty.stdout)).toEqual({ worktrees: [] });
  expect(begun.status).toBe(0);
  expect(begun.stderr).toContain('parley permissions trust');
});

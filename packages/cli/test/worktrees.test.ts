import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openWorktree } from '@parley/workspace/worktree';
import { expect, test } from 'vitest';
import { finish, scripted, seen, startParley, stopOf, temporaryFolder } from './command.ts';
import { testRepository } from './repository.ts';

test('--worktree works in a worktree of its own, which the session, its list and the list of worktrees name', async () => {
  await using repo = await testRepository();

  const { status, lines, stderr } = await repo.run([
    '--worktree=fix',
    '--approve',
    'edits',
    'write notes.txt: hello',
  ]);

  expect(status).toBe(0);
  const session = lines.find(({ type }) => type === 'session');
  const worktree = session?.['worktree'] as { path: string };
  expect(worktree).toEqual({ name: 'fix', path: expect.any(String) as string, branch: 'parley/fix' });
  expect(session?.['cwd']).toBe(worktree.path);
  expect(worktree.path.startsWith(repo.home)).toBe(true);
  expect(stderr).toContain('in the worktree "fix"');
  expect(await readFile(path.join(worktree.path, 'notes.txt'), 'utf8')).toBe('hello');
  expect(await repo.git('status', '--porcelain')).toBe('');

  const sessions = JSON.parse((await repo.parley(['sessions', 'list', '--json'])).stdout) as {
    sessions: { id: string; worktree: unknown }[];
  };
  expect(sessions.sessions).toMatchObject([{ worktree: { name: 'fix' } }]);
  expect(await repo.worktrees()).toEqual([
    {
      name: 'fix',
      path: worktree.path,
      branch: 'parley/fix',
      base: await repo.git('rev-parse', 'HEAD'),
      session: sessions.sessions[0]?.id,
      state: 'changed',
      additions: 1,
      deletions: 0,
    },
  ]);
  expect((await repo.parley(['worktrees', 'list'])).stdout).toMatch(
    /fix +parley\/fix +HEAD .*changed +\+1 −0/u,
  );
  expect((await repo.parley(['sessions', 'list'])).stdout).toContain('worktree fix');
});

test('the word after --worktree is the name if it follows the prompt, else the prompt', async () => {
  await using repo = await testRepository();

  await repo.run(['say: hi', '--worktree', 'named']);
  await repo.run(['--worktree', 'say: hi']);

  const [named, generated] = await repo.worktrees();
  expect(named).toMatchObject({ name: 'named' });
  expect(generated?.['name']).toMatch(/^[a-z]{4}-\d\d$/u);
});

test('an existing worktree continues with --continue, and is rejected while a session runs in it', async () => {
  await using repo = await testRepository();
  await repo.run(['--worktree=fix', '--approve', 'edits', 'write one.txt: 1']);
  const { lines } = await repo.run([
    '--worktree=fix',
    '--continue',
    '--approve',
    'edits',
    'write two.txt: 2',
  ]);
  expect(stopOf(lines)).toMatchObject({ exitCode: 0 });
  const sessions = JSON.parse((await repo.parley(['sessions', 'list', '--json'])).stdout) as {
    sessions: { turns: number }[];
  };
  expect(sessions.sessions).toMatchObject([{ turns: 2 }]);

  const running = startParley(['run', '--worktree=fix', 'say: begun\nsleep 600'], {
    cwd: repo.path,
    env: { PARLEY_HOME: repo.home },
  });
  const ended = finish(running);
  running.stdin.end();
  await seen(running.stdout, 'begun');
  const refused = await repo.run(['--worktree=fix', 'say: hi']);
  const kept = await repo.parley(['worktrees', 'remove', 'fix', '--discard']);
  running.kill('SIGINT');

  expect(stopOf(refused.lines)).toMatchObject({ exitCode: 5, error: { code: 'refused' } });
  expect(refused.status).toBe(5);
  expect(kept.status).toBe(5);
  expect((await ended).status).toBe(130);
  expect((await repo.parley(['worktrees', 'remove', 'fix', '--discard'])).status).toBe(0);
});

test('worktrees list of a folder that is not there is wrong usage', async () => {
  await using repo = await testRepository();

  const { status, stderr } = await repo.parley(['worktrees', 'list', '--cwd', 'nowhere']);

  expect([status, stderr]).toEqual([2, expect.stringContaining('the folder does not exist') as string]);
});

test.each([
  ['--worktree outside of a repository', [], 'is in no git working tree'],
  ['a name that leads elsewhere', ['--worktree=../x'], 'cannot be the name of a worktree'],
  ['a base that is no commit', ['--worktree=x', '--base', 'nothing'], 'is not a commit'],
  ['a folder that is not there', ['--worktree=x', '--cwd', 'nowhere'], '--cwd'],
  ['an empty name', ['--worktree='], '"" cannot be the name of a worktree'],
  ['--base alone', ['--base', 'HEAD'], '--base requires --worktree'],
  ['--with-changes alone', ['--with-changes'], '--with-changes requires --worktree'],
])('%s is wrong usage', async (name, words, message) => {
  await using repo = await testRepository();
  await using elsewhere = await temporaryFolder();
  const outside = words.length === 0;

  const { status, lines, stderr } = await repo.run([...(outside ? ['--worktree=x'] : words), 'say: hi'], {
    ...(outside && { cwd: elsewhere.path }),
  });

  expect([name, status]).toEqual([name, 2]);
  expect(stderr).toContain(message);
  expect(stopOf(lines)).toMatchObject({ exitCode: 2 });
  expect(await repo.worktrees()).toEqual([]);
});

test('a failed start leaves no worktree', async () => {
  await using repo = await testRepository();

  const unknown = await repo.run(['--worktree=x', '-a', 'nothing', 'say: hi']);
  const broken = await repo.run(['--worktree=x', 'say: hi', '--', process.execPath, '-e', 'process.exit(1)']);

  expect([unknown.status, broken.status]).toEqual([2, 1]);
  expect(await repo.worktrees()).toEqual([]);
  expect(await repo.git('branch', '--list', 'parley/*')).toBe('');
});

test('a session in a subfolder works in that subfolder of the worktree', async () => {
  await using repo = await testRepository({ 'packages/one/x.txt': 'x\n' });

  const { lines } = await repo.run(['--worktree=x', '--approve', 'edits', 'write y.txt: y'], {
    cwd: path.join(repo.path, 'packages/one'),
  });

  const { cwd, worktree } = lines.find(({ type }) => type === 'session') as unknown as {
    cwd: string;
    worktree: { path: string };
  };
  expect(cwd).toBe(path.join(worktree.path, 'packages/one'));
  expect(await readFile(path.join(cwd, 'y.txt'), 'utf8')).toBe('y');
});

test('show prints a patch for git apply, merge applies it, and remove refuses to lose it', async () => {
  await using repo = await testRepository();
  await repo.run([
    '--worktree=fix',
    '--approve',
    'edits',
    'replace one with two in a.txt\nwrite new.txt: new',
  ]);

  const shown = await repo.parley(['worktrees', 'show', 'fix']);
  await writeFile(path.join(repo.home, 'patch'), shown.stdout);
  await repo.git('apply', '--check', path.join(repo.home, 'patch'));
  const refused = await repo.parley(['worktrees', 'remove', 'fix']);
  await writeFile(path.join(repo.path, 'a.txt'), 'three\n');
  const conflict = await repo.parley(['worktrees', 'merge', 'fix']);
  expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('three\n');
  await expect(access(path.join(repo.path, 'new.txt'))).rejects.toThrow('ENOENT');
  await repo.git('checkout', '-q', 'a.txt');
  const merged = await repo.parley(['worktrees', 'merge', 'fix']);
  const removed = await repo.parley(['worktrees', 'remove', 'fix']);

  expect([shown, refused, conflict, merged, removed].map(({ status }) => status)).toEqual([0, 5, 5, 0, 0]);
  expect(refused.stderr).toContain('--discard');
  expect(conflict.stderr).toContain('a.txt');
  expect(merged.stdout).toContain('2 files, +2 −1');
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt');
  expect(await repo.worktrees()).toEqual([]);
});

test('merge --commit makes one commit, and --discard says where changes are saved', async () => {
  await using repo = await testRepository();
  await repo.git('config', 'user.name', 'A');
  await repo.git('config', 'user.email', 'a@example.com');
  await repo.run(['--worktree=one', '--approve', 'edits', 'write one.txt: 1']);
  await repo.run(['--worktree=two', '--approve', 'edits', 'write two.txt: 2']);

  const withoutMessage = await repo.parley(['worktrees', 'merge', 'one', '--commit']);
  const merged = await repo.parley(['worktrees', 'merge', 'one', '--commit', '-m', 'one', '--json']);
  const removed = await repo.parley(['worktrees', 'remove', 'two', '--discard']);
  const unknown = await repo.parley(['worktrees', 'show', 'three']);

  expect([withoutMessage, merged, removed, unknown].map(({ status }) => status)).toEqual([2, 0, 0, 2]);
  expect(JSON.parse(merged.stdout)).toMatchObject({ files: 1, commit: await repo.git('rev-parse', 'HEAD') });
  expect(await repo.git('log', '--format=%s')).toBe('one\nfirst');
  expect(removed.stdout).toContain('refs/parley/saved/two');
  expect(await repo.git('show', 'refs/parley/saved/two:two.txt')).toBe('2');
  expect(await repo.worktrees()).toMatchObject([{ name: 'one', state: 'merged' }]);
});

test('outside of a repository all worktrees are listed, and one is found by its name', async () => {
  await using repo = await testRepository();
  await using elsewhere = await temporaryFolder();
  await repo.run(['--worktree=fix', '--approve', 'edits', 'write one.txt: 1']);

  const listed = await repo.parley(['worktrees', 'list', '--json'], { cwd: elsewhere.path });
  const shown = await repo.parley(['worktrees', 'show', 'fix'], { cwd: elsewhere.path });

  expect(JSON.parse(listed.stdout)).toMatchObject({ worktrees: [{ name: 'fix' }] });
  expect(shown.stdout).toContain('+1');
});

test('a worktree whose repository was deleted is listed with what to do, and removed once its folder is gone', async () => {
  await using repo = await testRepository();
  await using elsewhere = await temporaryFolder();
  const { record, release } = await openWorktree(repo.path, { name: 'fix' }, { stateFolder: repo.home });
  await release();
  await rm(repo.path, { recursive: true });
  const options = { cwd: elsewhere.path };

  const listed = await repo.parley(['worktrees', 'list'], options);
  expect(listed).toMatchObject({ status: 0, stdout: expect.stringContaining('fix') as string });
  expect(listed.stderr).toContain('the repository of the worktree "fix"');
  expect(listed.stderr).toContain('run: parley worktrees remove fix');
  expect(await repo.parley(['worktrees', 'remove', 'fix', '--discard'], options)).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('Nothing was removed') as string,
  });
  expect(await repo.parley(['worktrees', 'merge', 'fix'], options)).toMatchObject({ status: 1 });

  await rm(record.path, { recursive: true });
  expect(await repo.parley(['worktrees', 'remove', 'fix'], options)).toMatchObject({ status: 0 });
});

test('.parley/setup runs where its content is trusted, and its failure ends the start', async () => {
  await using repo = await testRepository({ '.parley/setup': 'echo made > made.txt\npwd\n' });

  const untrusted = await repo.run(['--worktree=one', 'say: hi']);
  const trusted = await repo.parley(['permissions', 'trust', '--yes']);
  const ran = await repo.run(['--worktree=two', 'say: hi']);
  await repo.run(['--worktree=two', 'say: hi']);

  expect(untrusted.status).toBe(0);
  expect(untrusted.stdout).toContain('parley permissions trust');
  const [one, two] = await repo.worktrees();
  await expect(access(path.join(String(one?.['path']), 'made.txt'))).rejects.toThrow('ENOENT');
  expect(trusted.stdout).toContain('echo made > made.txt');
  expect(ran.stderr).toContain(`${String(two?.['path'])}\n`);
  expect(await readFile(path.join(String(two?.['path']), 'made.txt'), 'utf8')).toBe('made\n');

  await writeFile(path.join(repo.path, '.parley/setup'), 'echo broken >&2; exit 3\n');
  await repo.git('commit', '-q', '-a', '-m', 'broken');
  await repo.parley(['permissions', 'trust', '--yes']);
  const failed = await repo.run(['--worktree=three', 'say: hi']);

  expect(failed.status).toBe(1);
  expect(stopOf(failed.lines)).toMatchObject({ error: { code: 'setup-failed' } });
  expect(failed.stderr).toContain('broken');
});

test('files trusted in the checkout are trusted in a worktree only with the same content', async () => {
  const agent = { command: process.execPath, args: scripted({ prompt: [] }).slice(1) };
  const configuration = JSON.stringify({ agents: { mine: agent } });
  await using repo = await testRepository({ '.parley/config.json': configuration });
  await repo.parley(['permissions', 'trust', '--yes']);

  const trusted = await repo.run(['--worktree=fix', '-a', 'mine', 'x']);
  const [fix] = await repo.worktrees();
  await writeFile(path.join(String(fix?.['path']), '.parley/config.json'), `${configuration} `);
  const changed = await repo.run(['--worktree=fix', '-a', 'mine', 'x']);

  expect(trusted.status).toBe(0);
  expect(changed.status).toBe(2);
  expect(changed.stdout).toContain('have not trusted');
});

test('--with-changes copies uncommitted changes', async () => {
  await using repo = await testRepository();
  await writeFile(path.join(repo.path, 'a.txt'), 'edited\n');
  await mkdir(path.join(repo.path, 'dir'));
  await writeFile(path.join(repo.path, 'dir/new.txt'), 'new\n');

  await repo.run([
    '--worktree=fix',
    '--with-changes',
    '--approve',
    'edits',
    'replace edited with done in a.txt',
  ]);

  const [fix] = await repo.worktrees();
  expect(fix).toMatchObject({ additions: 1, deletions: 1 });
  expect(await readFile(path.join(String(fix?.['path']), 'dir/new.txt'), 'utf8')).toBe('new\n');
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt\n?? dir/');
});

test('chat works in a worktree, and says how to resume there', async () => {
  await using repo = await testRepository();

  const { status, stdout, stderr } = await repo.parley(['chat', '--worktree=fix', '--approve', 'edits'], {
    input: 'write one.txt: 1\n',
  });

  expect(status).toBe(0);
  expect(stderr).toContain('in the worktree "fix"');
  expect(stdout).toContain('worktrees');
  expect(await repo.worktrees()).toMatchObject([{ name: 'fix', additions: 1 }]);
});

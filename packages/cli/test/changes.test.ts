import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scripted, startParley, type Finished } from './command.ts';
import { testRepository, type TestRepository } from './repository.ts';
import { openScreen } from './screen.ts';

interface List {
  readonly sessionId: string;
  readonly workspace: string;
  readonly turns: readonly {
    readonly turn: number;
    readonly undone: boolean;
    readonly startedAt: string;
    readonly files: readonly { readonly path: unknown; readonly reported: boolean }[];
  }[];
}

const all = ['--approve', 'all'] as const;

/** A command of the agent's that writes by itself, in a tool call that can write. */
function command(repo: TestRepository, line: string): Promise<Finished> {
  return repo.run([...all, `run ${line}`]);
}

async function list(repo: TestRepository, ...words: readonly string[]): Promise<List> {
  const { stdout } = await repo.parley(['changes', 'list', ...words, '--json']);
  return JSON.parse(stdout) as List;
}

test('list and diff show what a turn changed, and git apply takes the patch', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'write notes.txt: hello']);

  const { sessionId, workspace, turns } = await list(repo);

  expect(workspace).toBe(repo.path);
  expect(turns).toEqual([
    {
      turn: 1,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      endedAt: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      undone: false,
      files: [
        { path: 'notes.txt', status: 'added', additions: 1, deletions: 0, binary: false, reported: true },
      ],
      omitted: [],
    },
  ]);
  const shown = await repo.parley(['changes', 'list', sessionId.slice(0, 20)]);
  expect(shown.stdout).toMatch(
    /Turn 1 · \d{4}-\d\d-\d\d \d\d:\d\d · 1 file, \+1 −0\n {2}A {2}\+1 {2}−0 {2}notes\.txt\n/u,
  );
  const { stdout: patch } = await repo.parley(['changes', 'diff']);
  await rm(path.join(repo.path, 'notes.txt'));
  await writeFile(path.join(repo.home, 'a.patch'), patch);
  await repo.git('apply', path.join(repo.home, 'a.patch'));
  expect(await readFile(path.join(repo.path, 'notes.txt'), 'utf8')).toBe('hello');
});

test('git apply takes the patch of a session in a subfolder of a repository, there and at its top', async () => {
  await using repo = await testRepository();
  const folder = path.join(repo.path, 'sub');
  await mkdir(folder);
  await repo.parley(['run', ...all, '--cwd', folder, 'write notes.txt: hello']);

  const { stdout: patch } = await repo.parley(['changes', 'diff', '--cwd', folder]);

  const file = path.join(repo.home, 'a.patch');
  await writeFile(file, patch);
  for (const place of ['sub', '.']) {
    await rm(path.join(folder, 'notes.txt'));
    await repo.git('-C', place, 'apply', file);
    expect(await readFile(path.join(folder, 'notes.txt'), 'utf8')).toBe('hello');
  }
});

test.skipIf(process.platform === 'win32')(
  'a session that was started through a link belongs to the folder behind it',
  async () => {
    await using repo = await testRepository();
    const linked = `${repo.path}-link`;
    await symlink(repo.path, linked);
    await repo.parley(['run', ...all, '--cwd', linked, 'write notes.txt: hello']);

    const { turns } = await list(repo);
    const sessions = await repo.parley(['sessions', 'list', '--json', '--cwd', repo.path]);

    expect(turns).toMatchObject([{ files: [{ path: 'notes.txt' }] }]);
    expect(JSON.parse(sessions.stdout)).toMatchObject({ sessions: [{ cwd: linked }] });
  },
);

test('repeated undo reverts earlier turns, and redo reverts the last undo', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'write a.txt: two']);
  await repo.run([...all, '--continue', 'write b.txt: new']);
  const text = (name: string): Promise<string | undefined> =>
    readFile(path.join(repo.path, name), 'utf8').catch(() => undefined);

  const dry = await repo.parley(['changes', 'undo', '--dry-run']);
  expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining('Would undo turn 2') as string });
  expect(await text('b.txt')).toBe('new');

  const first = await repo.parley(['changes', 'undo']);
  expect(first).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Undid turn 2: 1 file') as string,
  });
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['two', undefined]);
  const second = await repo.parley(['changes', 'undo', '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({ undone: 1, conflicts: [] });
  expect(await text('a.txt')).toBe('one\n');
  expect(await repo.parley(['changes', 'undo'])).toMatchObject({ status: 1 });
  expect((await list(repo)).turns.map(({ undone }) => undone)).toEqual([true, true]);

  expect(await repo.parley(['changes', 'redo'])).toMatchObject({ status: 0 });
  expect([await text('a.txt'), await text('b.txt')]).toEqual(['two', undefined]);
  expect(await repo.parley(['changes', 'redo'])).toMatchObject({ status: 0 });
  expect(await text('b.txt')).toBe('new');
  expect(await repo.parley(['changes', 'redo'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nothing to redo') as string,
  });
});

test('a later edit that conflicts is refused with status 5 and named, and --force discards it', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'write a.txt: two']);
  await writeFile(path.join(repo.path, 'a.txt'), 'mine\n');

  for (const words of [[], ['--dry-run']]) {
    const refused = await repo.parley(['changes', 'undo', ...words]);
    expect(refused).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/a\.txt\n.*"parley changes undo" with --force\.\n$/u) as string,
    });
    expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('mine\n');
  }

  expect(await repo.parley(['changes', 'undo', '--force'])).toMatchObject({ status: 0 });
  expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('one\n');

  await writeFile(path.join(repo.path, 'a.txt'), 'later\n');
  for (const words of [[], ['--dry-run']]) {
    const refused = await repo.parley(['changes', 'redo', ...words]);
    expect(refused).toMatchObject({ status: 5, stderr: expect.stringContaining('a.txt') as string });
    expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('later\n');
  }
  expect(await repo.parley(['changes', 'redo', '--force'])).toMatchObject({ status: 0 });
  expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('undo takes paths relative to the current folder, folders and deleted files', async () => {
  await using repo = await testRepository({ 'sub/x.txt': 'x\n', 'sub/y.txt': 'y\n' });
  await command(repo, 'rm sub/x.txt && echo more >> sub/y.txt && echo more >> a.txt');
  const text = (name: string): Promise<string | undefined> =>
    readFile(path.join(repo.path, name), 'utf8').catch(() => undefined);
  const cwd = path.join(repo.path, 'sub');

  expect(await repo.parley(['changes', 'undo', 'sub/x.txt'])).toMatchObject({ status: 0 });
  expect([await text('sub/x.txt'), await text('sub/y.txt')]).toEqual(['x\n', 'y\nmore\n']);
  const { sessionId } = await list(repo);
  expect(await repo.parley(['changes', 'undo', sessionId, '.'], { cwd })).toMatchObject({ status: 0 });
  expect([await text('sub/y.txt'), await text('a.txt')]).toEqual(['y\n', 'one\nmore\n']);
  expect(await repo.parley(['changes', 'undo', sessionId, '../../elsewhere'])).toMatchObject({ status: 2 });
  expect(await repo.parley(['changes', 'undo', sessionId, '--turn', '1', 'other.txt'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('turn 1 changed none of these paths') as string,
  });
});

test('the words after -- are arguments: undo takes names there that begin with a dash', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'write -f: x\nwrite b.txt: x']);

  const { status, stdout } = await repo.parley(['changes', 'undo', '--json', '--', '-f']);

  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: [{ path: '-f', action: 'deleted' }] });
  expect(await readFile(path.join(repo.path, 'b.txt'), 'utf8')).toBe('x');
  expect(await repo.parley(['changes', 'list', '--', '-f'])).toMatchObject({ status: 2 });
});

test('undo takes the old name of a renamed file, and names that are not UTF-8', async () => {
  await using repo = await testRepository({ 'old.txt': 'content\n' });
  await command(
    repo,
    String.raw`mv old.txt new.txt && printf x > "$(printf 'caf\351')" && echo more >> a.txt`,
  );
  const names = async (): Promise<string> => repo.git('status', '--porcelain');

  expect(await repo.parley(['changes', 'undo', 'old.txt'])).toMatchObject({ status: 0 });
  expect(await names()).toBe(' M a.txt\n?? "caf\\351"');
  // Node replaces bytes of arguments that are not UTF-8.
  expect(await repo.parley(['changes', 'undo', 'caf\u{FFFD}'])).toMatchObject({ status: 0 });
  expect(await names()).toBe(' M a.txt');
  expect(await repo.parley(['changes', 'undo', 'tea\u{FFFD}'])).toMatchObject({ status: 2 });
});

test('hunks are marked as reviewed, and reverted, by their ids', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${String(index)}\n`);
  await using repo = await testRepository({ 'long.txt': lines.join('') });
  await command(repo, `sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 35$/LINE 35/' long.txt`);
  const diff = async (...words: readonly string[]): Promise<readonly { id: string; header: string }[]> => {
    const { stdout } = await repo.parley(['changes', 'diff', '--json', ...words]);
    const { files } = JSON.parse(stdout) as { files: { hunks: { id: string; header: string }[] }[] };
    return files.flatMap(({ hunks }) => hunks);
  };
  const [first, second] = await diff();

  expect(await repo.parley(['changes', 'keep', '--hunk', first?.id ?? ''])).toMatchObject({ status: 0 });
  expect(await diff('--unreviewed')).toMatchObject([{ id: second?.id }]);
  expect(await repo.parley(['changes', 'revert', '--hunk', second?.id ?? ''])).toMatchObject({ status: 0 });
  expect(await readFile(path.join(repo.path, 'long.txt'), 'utf8')).toBe(
    lines.join('').replace('line 2\n', 'LINE 2\n'),
  );
  expect(await repo.parley(['changes', 'revert', '--hunk', 'none'])).toMatchObject({ status: 1 });
  expect(await repo.parley(['changes', 'keep'])).toMatchObject({ status: 2 });
});

test('the patch without reviewed hunks contains only the others', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${String(index)}\n`);
  await using repo = await testRepository({ 'long.txt': lines.join('') });
  await command(
    repo,
    `sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 35$/LINE 35/' long.txt && echo new > new.txt`,
  );
  const { stdout } = await repo.parley(['changes', 'diff', '--json']);
  const { files } = JSON.parse(stdout) as { files: { hunks: { id: string }[] }[] };
  const [first, , added] = files.flatMap(({ hunks }) => hunks.map(({ id }) => id));

  await repo.parley(['changes', 'keep', '--hunk', first ?? '', added ?? '']);
  const { stdout: patch } = await repo.parley(['changes', 'diff', '--unreviewed']);

  expect(patch.split('\n').filter((line) => /^(diff|[-+]\w)/u.test(line))).toEqual([
    'diff --git a/long.txt b/long.txt',
    '-line 35',
    '+LINE 35',
  ]);
});

test('hunks of one turn, which later turns changed further, are reverted and marked as reviewed too', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${String(index)}\n`);
  await using repo = await testRepository({ 'long.txt': lines.join('') });
  await command(repo, `sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 35$/LINE 35/' long.txt`);
  await repo.run([...all, '--continue', `run sed -i 's/^line 6$/LINE 6/' long.txt`]);
  const ids = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await repo.parley(['changes', 'diff', '--json', '--turn', '1', ...words]);
    const { files } = JSON.parse(stdout) as { files: { hunks: { id: string }[] }[] };
    return files.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  };
  const [first = '', second = ''] = await ids();

  expect(await repo.parley(['changes', 'keep', '--hunk', first])).toMatchObject({ status: 0 });
  expect(await ids('--unreviewed')).toEqual([second]);
  expect(await repo.parley(['changes', 'revert', '--hunk', first])).toMatchObject({ status: 0 });
  expect(await readFile(path.join(repo.path, 'long.txt'), 'utf8')).toBe(
    lines.join('').replace('line 6\n', 'LINE 6\n').replace('line 35\n', 'LINE 35\n'),
  );
  expect(await repo.parley(['changes', 'revert', '--hunk', first])).toMatchObject({ status: 1 });
});

test('a folder restored by a reverted hunk has its old permissions', async () => {
  await using repo = await testRepository({ 'private/x.txt': 'x\n' });
  await chmod(repo.path, 0o755);
  await chmod(path.join(repo.path, 'private'), 0o700);
  await command(repo, 'rm -r private');
  const { stdout } = await repo.parley(['changes', 'diff', '--json']);
  const { files } = JSON.parse(stdout) as { files: { hunks: { id: string }[] }[] };

  await repo.parley(['changes', 'revert', '--hunk', files[0]?.hunks[0]?.id ?? '']);

  expect((await stat(path.join(repo.path, 'private'))).mode & 0o777).toBe(0o700);
});

test("commit contains only the session's changes, and neither the index nor other edits", async () => {
  await using repo = await testRepository({ 'mine.txt': 'mine\n', 'staged.txt': 'staged\n' });
  await repo.git('config', 'user.name', 'Ada');
  await repo.git('config', 'user.email', 'ada@example.com');
  await mkdir(repo.home, { recursive: true });
  await writeFile(path.join(repo.home, 'config.json'), '{"changes":{"maxFileBytes":1000}}');
  await command(repo, 'printf two > a.txt; printf %02000d 0 > large.txt');
  await writeFile(path.join(repo.path, 'mine.txt'), 'edited\n');
  await writeFile(path.join(repo.path, 'staged.txt'), 'edited\n');
  await repo.git('add', 'staged.txt');

  const { status, stdout, stderr } = await repo.parley(['changes', 'commit', '-m', 'Two']);

  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Committed 1 file as [0-9a-f]{12}\n$/u) as string,
    stderr: 'parley: not committed, too large: large.txt\n',
  });
  await rm(path.join(repo.path, 'large.txt'));
  expect(await repo.git('show', '--format=%s %an', '--name-only', 'HEAD')).toBe('Two Ada\n\na.txt');
  expect(await repo.git('status', '--porcelain')).toBe(' M mine.txt\nM  staged.txt');
});

test('modes and names that are not UTF-8 are listed, and undone', async () => {
  await using repo = await testRepository();
  await chmod(path.join(repo.path, 'a.txt'), 0o640);
  await command(repo, `chmod 750 a.txt; printf x > "$(printf 'caf\\351')"`);

  const { turns } = await list(repo);
  const { status, stdout } = await repo.parley(['changes', 'undo']);

  expect(turns[0]?.files.map(({ path: name }) => name)).toEqual(
    expect.arrayContaining(['a.txt', { base64: Buffer.from('caf\u00e9', 'latin1').toString('base64') }]),
  );
  expect({ status, stdout }).toMatchObject({ status: 0 });
  expect((await stat(path.join(repo.path, 'a.txt'))).mode & 0o777).toBe(0o640);
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('an ignored file is never deleted, even if it equals a file that the turn deleted', async () => {
  await using repo = await testRepository({ '.gitignore': 'secret.txt\n' });
  await writeFile(path.join(repo.path, 'secret.txt'), 'secret.txt\n');
  await command(repo, 'rm .gitignore');

  expect((await list(repo)).turns[0]?.files).toMatchObject([{ path: '.gitignore', status: 'deleted' }]);
  expect(await repo.parley(['changes', 'undo', '--unreported'])).toMatchObject({ status: 0 });

  expect(await readFile(path.join(repo.path, '.gitignore'), 'utf8')).toBe('secret.txt\n');
  expect(await readFile(path.join(repo.path, 'secret.txt'), 'utf8')).toBe('secret.txt\n');
});

test('a file that grew over the limit is undone and redone; one too large to be stored first is rejected by name', async () => {
  await using repo = await testRepository();
  const text = (): Promise<string> => readFile(path.join(repo.path, 'a.txt'), 'utf8');
  const limits = { changes: { maxFileBytes: 1000, maxBytes: 5000 } };
  await mkdir(repo.home, { recursive: true });
  await writeFile(path.join(repo.home, 'config.json'), JSON.stringify(limits));
  await command(repo, 'printf %02000d 0 > a.txt');
  const grown = await text();

  expect((await list(repo)).turns).toMatchObject([
    {
      files: [{ path: 'a.txt', status: 'modified', reported: true }],
      omitted: [{ path: 'a.txt', why: 'too-large' }],
    },
  ]);
  expect(await repo.parley(['changes', 'diff'])).toMatchObject({
    status: 0,
    stdout: '',
    stderr: 'parley: not in the patch, too large: a.txt\n',
  });
  expect(await repo.parley(['changes', 'commit', '-m', 'x'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('not covered: 1 file') as string,
  });
  expect(await repo.parley(['changes', 'undo'])).toMatchObject({ status: 0 });
  expect(await text()).toBe('one\n');
  expect(await repo.parley(['changes', 'redo'])).toMatchObject({ status: 0 });
  expect(await text()).toBe(grown);

  await writeFile(path.join(repo.path, 'a.txt'), 'x'.repeat(6000));
  expect(await repo.parley(['changes', 'undo', '--force'])).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(/could not be brought back by redo:\n.*a\.txt \(too large/u) as string,
  });
  expect(await text()).toHaveLength(6000);
});

test('unknown sessions, unknown paths and folders without a session are wrong usage', async () => {
  await using repo = await testRepository();
  expect(await repo.parley(['changes', 'list'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no session') as string,
  });
  await repo.run(['say: hi']);

  expect(await repo.parley(['changes', 'list', 'nonesuch'])).toMatchObject({ status: 2 });
  expect(await repo.parley(['changes', 'undo', 'nonesuch'])).toMatchObject({ status: 2 });
  expect(await repo.parley(['changes', 'undo', ''])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('a path is empty') as string,
  });
  expect(await repo.parley(['changes', 'commit', '-m', ' '])).toMatchObject({ status: 2 });
  expect(await repo.parley(['changes', 'undo', '--turn', '0'])).toMatchObject({
    status: 2,
    stderr: 'parley: --turn 0: expected a whole number above 0\n',
  });
  expect(await repo.parley(['changes', 'undo'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nothing to undo') as string,
  });
});

test('run prints what the turn changed before it stops', async () => {
  await using repo = await testRepository();

  const { lines } = await repo.run([...all, 'write a.txt: two']);

  expect(lines.slice(-2)).toMatchObject([
    {
      type: 'changes',
      files: [
        { path: 'a.txt', status: 'modified', additions: 1, deletions: 1, binary: false, reported: true },
      ],
    },
    { type: 'stop' },
  ]);
});

test('the diff of a turn that changed nothing is empty; one of a turn that does not exist fails', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'list .']);
  await repo.run([...all, '--continue', 'write a.txt: two']);
  const diff = (...words: readonly string[]): Promise<unknown> => repo.parley(['changes', 'diff', ...words]);

  expect(await diff('--turn', '1')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const { stdout } = await repo.parley(['changes', 'diff', '--turn', '1', '--json']);
  expect(JSON.parse(stdout)).toEqual({ files: [], omitted: [] });
  expect(await diff('--turn', '2')).toMatchObject({ status: 0, stdout: expect.stringContaining('+two') });
  expect(await diff('--turn', '3')).toMatchObject({
    status: 1,
    stderr: 'parley: nothing to show: the session has no turn 3; its last one is 2\n',
  });
});

test('chat lists, undoes and redoes what its session changed', async () => {
  await using repo = await testRepository();
  const text = (): Promise<string> => readFile(path.join(repo.path, 'a.txt'), 'utf8');

  const input = 'write a.txt: two\n/changes\n/undo b.txt\n/undo 2\n/undo 1 ./a.txt\n';
  const undone = await repo.parley(['chat', ...all], { input });
  expect(undone.stdout).toContain('1 file, +1 −1');
  expect(undone.stderr).toContain('no turn of the session has changes of these paths');
  expect(undone.stderr).toContain('the session has no turn 2');
  expect(undone.stdout).toContain('Undid turn 1: 1 file');
  expect(await text()).toBe('one\n');

  const redone = await repo.parley(['chat', ...all, '--continue'], { input: '/redo\n/redo\n' });
  expect(redone.stdout).toContain('Redid turn 1: 1 file');
  expect(redone.stderr).toContain('nothing to redo');
  expect(await text()).toBe('two');
});

test('on a terminal, chat shows what a turn changed in one line, and asks before it undoes', async () => {
  await using repo = await testRepository();
  const text = (): Promise<string> => readFile(path.join(repo.path, 'a.txt'), 'utf8');
  using screen = openScreen(['chat', ...all], repo.path, { env: { PARLEY_HOME: repo.home } });
  await screen.shows('\n> ');

  screen.type('write a.txt: two\r');
  await screen.shows('Changed 1 file, +1 −1');
  await screen.shows('\n> ');
  screen.type('/undo\r');
  await screen.shows('Would undo turn 1: 1 file');
  await screen.shows('Undo it? [y/N]');
  screen.type('n\r');
  await screen.shows('Nothing was changed.');
  expect(await text()).toBe('two');
  screen.type('/undo 1 a.txt\r');
  await screen.shows('Undo it? [y/N]');
  screen.type('y\r');
  await screen.shows('Undid turn 1: 1 file');

  expect(await text()).toBe('one\n');
  screen.type('\u0004');
  expect(await screen.exited).toBe(0);
});

test('changes in a folder that was removed are listed and shown, and undo says that it is missing', async () => {
  await using repo = await testRepository();
  await repo.run([...all, '--worktree=fix', 'write notes.txt: hello']);
  const [{ session, path: folder }] = (await repo.worktrees()) as [{ session: string; path: string }];
  await repo.parley(['worktrees', 'remove', 'fix', '--discard']);

  expect((await list(repo, session)).turns).toMatchObject([{ files: [{ path: 'notes.txt' }] }]);
  expect((await repo.parley(['changes', 'diff', session])).stdout).toContain('+hello');
  expect(await repo.parley(['changes', 'undo', session])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${JSON.stringify(folder)}: no such file or directory`) as string,
  });
});

test('undo is refused while a turn runs in the folder', async () => {
  await using repo = await testRepository();
  await repo.run([...all, 'write a.txt: two']);
  const agent = scripted({ prompt: [{ say: 'working' }, { until: 'never' }] });
  const running = startParley(['run', '--format', 'json', 'go', '--', ...agent], {
    cwd: repo.path,
    env: { PARLEY_HOME: repo.home },
  });
  try {
    await new Promise<void>((resolve) => {
      let seen = '';
      running.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        if (seen.includes('"type":"update"')) resolve();
      });
    });
    const { sessionId } = await firstWithChanges(repo);

    expect(await repo.parley(['changes', 'undo', sessionId])).toMatchObject({ status: 5 });
    expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('two');
  } finally {
    running.kill('SIGKILL');
  }
});

async function firstWithChanges(repo: TestRepository): Promise<List> {
  const { stdout } = await repo.parley(['sessions', 'list', '--json']);
  const { sessions } = JSON.parse(stdout) as { sessions: { id: string }[] };
  for (const { id } of sessions) {
    const found = await list(repo, id);
    if (found.turns.length > 0) return found;
  }
  throw new Error('no session changed a file');
}

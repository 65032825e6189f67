import { chmod, lstat, mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Node, changesBetween, file, link, tree } from '../restore/tree.fixture.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { type Repository, numbered, repository } from '../worktree/repository.fixture.ts';
import { commitChanges } from './commit-changes.ts';

type Files = Readonly<Record<string, Node>>;

/** Commits what led from one state of some files to another; both are only given, not written. */
function commit(repo: Repository, before: Files, after: Files, workspace = repo.root) {
  const { changes, read } = changesBetween(tree(before), tree(after));
  return commitChanges({ workspace, changes, read, message: 'by the session\n\n#1 stays' });
}

/** HEAD's files: mode and content. */
async function headFiles(repo: Repository): Promise<Record<string, string>> {
  const lines = (await repo.git('ls-tree', '-r', 'HEAD')).split('\n').filter(Boolean);
  const entries = lines.map(async (line) => {
    const [mode = '', , id = ''] = line.split(/\s/u);
    return [line.slice(line.indexOf('\t') + 1), `${mode} ${await repo.git('cat-file', 'blob', id)}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('a commit holds what the session changed, and the index of the user follows only where it was as HEAD', async () => {
  await using repo = await repository({
    'gone.txt': 'gone\n',
    'run.sh': 'run\n',
    'staged.txt': 'old\n',
    'mine.txt': 'old\n',
  });
  await repo.write('staged.txt', 'staged by the user\n');
  await repo.git('add', 'staged.txt');
  await repo.write('mine.txt', 'edited by the user\n');
  await repo.write('a.txt', 'new\n');
  await repo.write('made/by it.txt', 'it\n');
  await chmod(`${repo.root}/run.sh`, 0o755);
  await unlink(`${repo.root}/gone.txt`);
  await symlink('a.txt', `${repo.root}/link`);
  const stashes = await repo.git('stash', 'list');
  const result = await commit(
    repo,
    { 'a.txt': file(numbered(9)), 'gone.txt': file('gone\n'), 'run.sh': file('run\n') },
    {
      'a.txt': file('new\n'),
      'made/by it.txt': file('it\n'),
      'run.sh': file('run\n', 0o755),
      link: link('a.txt'),
    },
  );
  expect(result).toEqual({
    state: 'committed',
    commit: await repo.git('rev-parse', 'HEAD'),
    files: ['a.txt', 'gone.txt', 'link', 'made/by it.txt', 'run.sh'],
    nested: [],
  });
  expect(await headFiles(repo)).toEqual({
    'a.txt': '100644 new',
    link: '120000 a.txt',
    'made/by it.txt': '100644 it',
    'mine.txt': '100644 old',
    'run.sh': '100755 run',
    'staged.txt': '100644 old',
  });
  expect((await repo.git('status', '--porcelain')).split('\n').map((line) => line.trim())).toEqual([
    'M mine.txt',
    'M  staged.txt',
  ]);
  expect(await repo.git('log', '-1', '--format=%B %P')).toBe(
    `by the session\n\n#1 stays\n ${await repo.git('rev-parse', 'HEAD^')}`,
  );
  expect(await repo.git('stash', 'list')).toBe(stashes);
});

test('of a file that the user edited too, only the part of the session is committed', async () => {
  await using repo = await repository();
  const edited = (...lines: readonly string[]) =>
    numbered(9)
      .replace('line 2', lines[0] ?? 'line 2')
      .replace('line 8', lines[1] ?? 'line 8');
  await repo.write('a.txt', edited('session', 'user'));
  await commit(
    repo,
    { 'a.txt': file(edited('line 2', 'user')) },
    { 'a.txt': file(edited('session', 'user')) },
  );
  expect(`${await repo.git('show', 'HEAD:a.txt')}\n`).toBe(edited('session'));
  expect(await repo.read('a.txt')).toBe(edited('session', 'user'));
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt');
});

test('a change that does not fit on HEAD commits nothing', async () => {
  await using repo = await repository({ 'b.txt': 'b\n' });
  const before = [await repo.state(), await repo.git('count-objects')];
  const changes = { 'a.txt': file('other\n'), 'b.txt': file('b\n'), 'untracked.txt': file('of the user\n') };
  const result = await commit(repo, changes, {
    'a.txt': file('another\n'),
    'b.txt': file('B\n'),
    'untracked.txt': file('of the user\nand the session\n'),
  });
  expect(result).toEqual({
    state: 'conflicts',
    conflicts: [
      { path: 'a.txt', why: 'content' },
      { path: 'untracked.txt', why: 'content' },
    ],
  });
  expect([await repo.state(), await repo.git('count-objects')]).toEqual(before);
});

test('hooks run, and one that fails refuses the commit', async () => {
  await using repo = await repository();
  const hook = async (name: string, script: string) => {
    await mkdir(`${repo.root}/.git/hooks`, { recursive: true });
    await writeFile(`${repo.root}/.git/hooks/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  await hook('commit-msg', 'echo "signed" >> "$1"');
  await hook('post-commit', 'touch .git/ran');
  await commit(repo, {}, { new: file('new\n') });
  expect(await repo.git('log', '-1', '--format=%b')).toContain('signed');
  expect((await lstat(`${repo.root}/.git/ran`)).isFile()).toBe(true);
  await hook('pre-commit', 'echo "lint failed" >&2; exit 1');
  const before = await repo.state();
  await expect(commit(repo, {}, { more: file('') })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('lint failed'),
  });
  expect(await repo.state()).toBe(before);
});

test.skipIf(process.platform === 'win32')('a commit is signed where git is configured to', async () => {
  await using repo = await repository();
  const script = `#!/bin/sh\ncat > /dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; echo '-----BEGIN PGP SIGNATURE-----'\n`;
  await writeFile(`${repo.root}/.git/sign`, script, { mode: 0o755 });
  await repo.git('config', 'gpg.program', `${repo.root}/.git/sign`);
  await repo.git('config', 'commit.gpgSign', 'true');
  await commit(repo, {}, { new: file('new\n') });
  expect(await repo.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig -----BEGIN PGP SIGNATURE-----');
});

test('line ends and filters are those of git add', async () => {
  await using repo = await repository({ '.gitattributes': '*.up filter=up\n' });
  await repo.git('config', 'core.autocrlf', 'true');
  await repo.git('config', 'filter.up.clean', 'tr a-z A-Z');
  const text = numbered(9).replaceAll('\n', '\r\n');
  await repo.write('a.txt', text.replace('line 1', 'first'));
  await repo.write('x.up', 'loud');
  await commit(
    repo,
    { 'a.txt': file(text) },
    { 'a.txt': file(text.replace('line 1', 'first')), 'x.up': file('loud') },
  );
  expect(`${await repo.git('show', 'HEAD:a.txt')}\n`).toBe(numbered(9).replace('line 1', 'first'));
  expect(await repo.git('show', 'HEAD:x.up')).toBe('LOUD');
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('the first commit of a repository, and one on a detached HEAD', async () => {
  await using repo = await repository();
  await repo.git('checkout', '-q', '--detach');
  await repo.write('new', 'new');
  await commit(repo, {}, { new: file('new') });
  expect(await repo.git('rev-parse', 'HEAD^', '--abbrev-ref', 'HEAD')).toBe(
    `${await repo.git('rev-parse', 'main')}\nHEAD`,
  );
  await repo.git('checkout', '-q', '--orphan', 'other');
  await repo.git('rm', '-rfq', '--cached', '.');
  await commit(repo, {}, { new: file('new') });
  expect(await headFiles(repo)).toEqual({ new: '100644 new' });
  expect(await repo.git('rev-list', '--count', 'HEAD')).toBe('1');
});

test('a workspace below the root, without its nested repositories', async () => {
  await using repo = await repository({ 'app/x': 'x\n' });
  await mkdir(`${repo.root}/app/nested/.git`, { recursive: true });
  const result = await commit(
    repo,
    { x: file('x\n') },
    { x: file('X\n'), 'nested/y': file('y\n') },
    `${repo.root}/app`,
  );
  expect(result).toMatchObject({ state: 'committed', files: ['x'], nested: ['nested/y'] });
  expect(await repo.git('show', 'HEAD:app/x')).toBe('X');
});

test('what cannot be committed says why, and touches nothing', async () => {
  await using plain = await temporaryDirectory();
  await using repo = await repository();
  const change = { 'a.txt': file('new\n') };
  const { changes, read } = changesBetween(tree({}), tree(change));
  const outside = commitChanges({ workspace: plain.path, changes, read, message: 'm' });
  await expect(outside).rejects.toMatchObject({ code: 'not-a-repository' });
  const same = { 'a.txt': file(numbered(9)) };
  await expect(commit(repo, { 'a.txt': file('old') }, same)).rejects.toMatchObject({
    code: 'nothing-to-commit',
  });
  await writeFile(`${repo.root}/.git/index.lock`, '');
  await expect(commit(repo, same, change)).rejects.toMatchObject({ code: 'in-use' });
  await unlink(`${repo.root}/.git/index.lock`);
  await repo.git('checkout', '-q', '-b', 'side');
  await repo.write('a.txt', 'side\n');
  await repo.git('commit', '-qam', 'side');
  await repo.git('checkout', '-q', 'main');
  await repo.write('a.txt', 'main\n');
  await repo.git('commit', '-qam', 'main');
  await repo.git('merge', 'side').catch(() => undefined);
  const index = await readFile(`${repo.root}/.git/index`);
  await expect(commit(repo, same, change)).rejects.toMatchObject({ code: 'in-progress' });
  expect(await readFile(`${repo.root}/.git/index`)).toEqual(index);
});

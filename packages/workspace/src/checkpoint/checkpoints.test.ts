import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints } from './checkpoints.ts';
import { inShort, testWorkspace } from './workspace.fixture.ts';

test('the same files have the same checkpoint, in a plain folder', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.write({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });

  const first = await checkpoints.take();
  const second = await checkpoints.take();

  expect(second.id).toBe(first.id);
  expect(await checkpoints.compare(first.id, second.id)).toEqual([]);
  expect(first.omitted).toEqual([]);
});

test('added, modified, deleted, renamed and changed permissions are listed with both sides', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  const text = 'line\n'.repeat(20);
  await workspace.write({
    'modified.txt': 'one\ntwo\n',
    'deleted.txt': 'x\n',
    'old/name.txt': text,
    'mode.sh': 'run\n',
    'private.txt': 'p\n',
  });
  const before = await checkpoints.take();

  await workspace.write({ 'modified.txt': 'one\n2\n3\n', 'added.txt': 'new\n' });
  await rm(at('deleted.txt'));
  await rename(at('old'), at('new'));
  await chmod(at('mode.sh'), 0o755);
  await chmod(at('private.txt'), 0o600);
  const after = await checkpoints.take();

  const changes = await checkpoints.compare(before.id, after.id);
  expect(inShort(changes)).toEqual([
    'added added.txt',
    'deleted deleted.txt',
    'mode mode.sh',
    'modified modified.txt',
    'renamed new/name.txt',
    'mode private.txt',
  ]);
  expect(changes[3]).toMatchObject({ additions: 2, deletions: 1, binary: false });
  expect(changes[4]).toMatchObject({ oldPath: 'old/name.txt', additions: 0, deletions: 0 });
  expect(changes[2]).toMatchObject({
    before: { mode: '100644' },
    after: { mode: '100755', permissions: 0o755 },
  });
  expect(changes[5]).toMatchObject({
    before: { mode: '100644', permissions: 0o644 },
    after: { mode: '100644', permissions: 0o600 },
  });
  const { before: old } = changes[3] ?? {};
  expect((await checkpoints.read(old?.blob ?? '')).toString()).toBe('one\ntwo\n');
  expect(await readFile(at('modified.txt'), 'utf8')).toBe('one\n2\n3\n');
});

test('a link is its target, is not followed, and is never renamed', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'folder/file.txt': 'content\n', kind: 'a file\n' });
  await symlink('folder', at('link'));
  const before = await checkpoints.take();

  await rename(at('link'), at('moved'));
  await rm(at('kind'));
  await symlink('folder/file.txt', at('kind'));
  const after = await checkpoints.take();

  expect(await checkpoints.entries(before.id, ['link', 'folder'])).toMatchObject([
    { path: 'folder/file.txt', mode: '100644' },
    { path: 'link', mode: '120000', permissions: 0o777 },
  ]);
  const changes = await checkpoints.compare(before.id, after.id);
  expect(inShort(changes)).toEqual(['modified kind', 'deleted link', 'added moved']);
  expect((await checkpoints.read(changes[2]?.after?.blob ?? '')).toString()).toBe('folder');
});

test('all folders but ignored ones are listed with their permissions', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'full/deep/file.txt': 'x', '.gitignore': 'ignored/\n', 'ignored/file': 'x' });
  await mkdir(at('empty/deep'), { recursive: true });
  await chmod(at('empty/deep'), 0o700);
  const folders = async (checkpoint: string): Promise<readonly string[]> =>
    (await checkpoints.folders(checkpoint))
      .map(({ path, permissions }) => `${JSON.stringify(path).slice(1, -1)} ${permissions.toString(8)}`)
      .toSorted((left, right) => left.localeCompare(right));

  const { id } = await checkpoints.take();

  expect(await folders(id)).toEqual(['empty 755', 'empty/deep 700', 'full 755', 'full/deep 755']);
  await rm(at('full/deep/file.txt'));
  const after = await checkpoints.take();
  expect(await folders(after.id)).toEqual(['empty 755', 'empty/deep 700', 'full 755', 'full/deep 755']);
  expect((await checkpoints.take()).id).toBe(after.id);
});

test('a file replaced by a folder, a folder by a file, and a folder by a link', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ file: 'x\n', 'folder/inner': 'y\n', 'linked/inner': 'z\n', 'target/inner': 't\n' });
  const before = await checkpoints.take();

  await rm(at('file'));
  await workspace.write({ 'file/inner': 'x2\n' });
  await rm(at('folder'), { recursive: true });
  await writeFile(at('folder'), 'y2\n');
  await rm(at('linked'), { recursive: true });
  await symlink('target', at('linked'));
  const after = await checkpoints.take();

  expect(inShort(await checkpoints.compare(before.id, after.id))).toEqual([
    'deleted file',
    'added file/inner',
    'added folder',
    'deleted folder/inner',
    'added linked',
    'deleted linked/inner',
  ]);
});

test('what .gitignore names is not covered; what leaves or enters that way is neither deleted nor safe to delete', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({
    '.gitignore': 'out/\n',
    'out/a': 'a\n',
    'build/b': 'b\n',
    'build/gone': 'g\n',
    'src/c': 'c\n',
  });
  const before = await checkpoints.take();
  expect((await checkpoints.entries(before.id)).map(({ path }) => path)).toEqual([
    '.gitignore',
    'build/b',
    'build/gone',
    'src/c',
  ]);

  await rm(at('build/gone'));
  await workspace.write({ '.gitignore': 'build/\n' });
  const after = await checkpoints.take();

  const changes = await checkpoints.compare(before.id, after.id);
  expect(inShort(changes)).toEqual(['modified .gitignore', 'deleted build/gone', 'added out/a']);
  expect(changes[2]?.wasUncovered).toBe(true);
  expect((await checkpoints.take()).id).toBe(after.id);
});

test('two sessions in one folder take checkpoints at the same time, and share them', async () => {
  await using workspace = await testWorkspace();
  const { folder, stateDir, checkpoints } = workspace;
  await using other = await openCheckpoints({ workspace: folder, stateDir });
  await workspace.write({ a: '1', b: '1' });
  const [one, two] = await Promise.all([checkpoints.take(), other.take()]);
  expect(one.id).toBe(two.id);

  await workspace.write({ a: '2' });
  const mine = await checkpoints.take();
  await workspace.write({ b: '2' });
  const theirs = await other.take();
  const last = await checkpoints.take();

  expect(last.id).toBe(theirs.id);
  expect(inShort(await other.compare(one.id, mine.id))).toEqual(['modified a']);
  expect(inShort(await checkpoints.compare(mine.id, theirs.id))).toEqual(['modified b']);
});

test('a damaged store begins anew', async () => {
  await using workspace = await testWorkspace();
  const { folder, stateDir } = workspace;
  await workspace.write({ a: '1' });
  await workspace.checkpoints.take();
  const stores = await readdir(join(stateDir, 'checkpoints'));
  const store = stores.find((name) => /^[0-9a-f]{32}$/u.test(name)) ?? '';
  const damaged = join(stateDir, 'checkpoints', store);
  await writeFile(join(damaged, 'state.json'), '{"version": 1, "check');
  await writeFile(join(damaged, 'checkpoints.json'), '');
  await rm(join(damaged, 'git', 'objects'), { recursive: true });
  await using checkpoints = await openCheckpoints({ workspace: folder, stateDir });

  const { id } = await checkpoints.take();

  const [entry] = await checkpoints.entries(id);
  expect((await checkpoints.read(entry?.blob ?? '')).toString()).toBe('1');
});

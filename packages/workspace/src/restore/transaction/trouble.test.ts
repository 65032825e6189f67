import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ownedByUnprivileged, unprivileged } from '../../files/unprivileged.fixture.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { planRestore } from '../plan.ts';
import { readDisk } from '../read-disk.ts';
import { type Tree, changesBetween, file, readTree, shown, tree, writeTree } from '../tree.fixture.ts';
import { applyRestore, applyStepwise } from './apply.ts';
import { finishRestores } from './finish.ts';

/** A turn that was undone in a workspace, perhaps with trouble at a step. */
async function undo(
  folder: TemporaryDirectory,
  before: Tree,
  after: Tree,
  { stateDir = folder.at('state'), reached }: { stateDir?: string; reached?: (step: string) => void } = {},
) {
  const workspace = folder.at('workspace');
  const { changes, read } = changesBetween(before, after);
  const plan = await planRestore({ changes, read, current: await readDisk({ workspace, changes }) });
  return applyStepwise(plan, { workspace, stateDir }, { reached });
}

async function prepared(folder: TemporaryDirectory, after: Tree): Promise<string> {
  const workspace = folder.at('workspace');
  await mkdir(workspace);
  await writeTree(workspace, after);
  return workspace;
}

test('an editor that holds a file open keeps what it has, and the path leads to the restored file', async () => {
  await using folder = await temporaryDirectory();
  const workspace = await prepared(folder, tree({ f: file('after') }));
  await using held = await open(folder.at('workspace', 'f'), 'r+');
  await undo(folder, tree({ f: file('before') }), tree({ f: file('after') }));
  expect(await held.readFile('utf8')).toBe('after');
  expect(shown(await readTree(workspace))).toEqual({ f: 'file 644 before' });
});

test('a file that is replaced between check and rename stays, and all else is taken back', async () => {
  const before = tree({ a: file('a'), b: file('b'), gone: file('gone') });
  const after = tree({ a: file('A'), b: file('B'), new: file('new') });
  for (const at of ['stage b', 'remove new', 'write b', 'write gone']) {
    await using folder = await temporaryDirectory();
    const workspace = await prepared(folder, after);
    const path = at.split(' ')[1] ?? '';
    const replace = (step: string) => {
      if (step !== at) return;
      writeFileSync(folder.at('beside'), 'of the user');
      renameSync(folder.at('beside'), folder.at('workspace', path));
    };
    await expect(undo(folder, before, after, { reached: replace })).rejects.toMatchObject({
      code: 'changed',
    });
    expect(shown(await readTree(workspace))).toEqual({
      ...shown(after),
      [path]: 'file 644 of the user',
    });
    expect(await finishRestores({ workspace, stateDir: folder.at('state') })).toEqual([]);
  }
});

test('a folder that is replaced by a link during a restore is not followed', async () => {
  const [before, after] = [
    tree({ 'd/f': file('f'), e: file('e') }),
    tree({ 'd/f': file('F'), e: file('E') }),
  ];
  for (const at of ['stage d/f', 'write d/f']) {
    await using folder = await temporaryDirectory();
    const workspace = await prepared(folder, after);
    const replace = (step: string) => {
      if (step !== at) return;
      mkdirSync(folder.at('outside'));
      writeFileSync(folder.at('outside', 'f'), 'F');
      renameSync(folder.at('workspace', 'd'), folder.at('aside'));
      symlinkSync(folder.at('outside'), folder.at('workspace', 'd'));
    };
    await expect(undo(folder, before, after, { reached: replace })).rejects.toMatchObject({
      code: 'changed',
    });
    expect(shown(await readTree(folder.at('outside')))).toEqual({ f: 'file 644 F' });
    expect(shown(await readTree(workspace))).toMatchObject({ e: 'file 644 E' });
  }
});

test('without the right to write into a folder, nothing is restored', async () => {
  await using folder = await temporaryDirectory();
  const after = tree({ a: file('A'), 'locked/f': file('F') });
  const workspace = await prepared(folder, after);
  const paths = ['', 'a', 'locked', 'locked/f'].map((name) => folder.at('workspace', name));
  await ownedByUnprivileged([folder.path, ...paths]);
  await chmod(folder.at('workspace', 'locked'), 0o555);
  const stored = shown(await readTree(workspace));
  const undone = unprivileged(() => undo(folder, tree({ a: file('a'), 'locked/f': file('f') }), after));
  await expect(undone).rejects.toMatchObject({ code: 'denied' });
  expect(shown(await readTree(workspace))).toEqual(stored);
  // Without administrator rights it could not be removed.
  await chmod(folder.at('workspace', 'locked'), 0o755);
});

test('on a full disk nothing is restored, and nothing is left over', async ({ skip }) => {
  await using folder = await temporaryDirectory();
  const [workspace, small] = [folder.at('workspace'), folder.at('small')];
  await mkdir(workspace);
  await mkdir(small);
  for (const [at, size] of [
    [workspace, '1m'],
    [small, '64k'],
  ] as const) {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at]);
    if (mounted.status !== 0) skip('no file system can be mounted here');
  }
  try {
    const [before, after] = [
      tree({ a: file('a'), large: file('x'.repeat(600_000)), rest: file('y'.repeat(400_000)) }),
      tree({ a: file('A'), rest: file('y'.repeat(400_000)) }),
    ];
    await writeTree(workspace, after);
    await writeFile(folder.at('workspace', 'of the user'), 'z'.repeat(300_000));
    const stored = shown(await readTree(workspace));
    await expect(undo(folder, before, after)).rejects.toMatchObject({ code: 'no-space' });
    expect(shown(await readTree(workspace))).toEqual(stored);
    await expect(undo(folder, before, after, { stateDir: small })).rejects.toMatchObject({
      code: 'no-space',
    });
    expect(shown(await readTree(workspace))).toEqual(stored);
    const [restores = ''] = await readdir(folder.at('small', 'restores'));
    expect(await readdir(folder.at('small', 'restores', restores))).toEqual([]);
  } finally {
    for (const at of [workspace, small]) spawnSync('umount', [at]);
  }
});

test('a folder that the turn made goes when it is empty, and its own one returns with its rights', async () => {
  await using folder = await temporaryDirectory();
  const workspace = await prepared(folder, tree({ keep: file('') }));
  await mkdir(folder.at('workspace', 'empty', 'deep'), { recursive: true });
  const { changes, read } = changesBetween(tree({ 'private/f': file('f') }), tree({}));
  const current = await readDisk({ workspace, changes });
  const plan = await planRestore({
    changes,
    read,
    current,
    addedFolders: ['empty', 'empty/deep', 'keep'],
    folderBefore: (path) => (path === 'private' ? 0o700 : undefined),
  });
  await applyRestore(plan, { workspace, stateDir: folder.at('state') });
  expect(await readdir(workspace)).toEqual(['keep', 'private']);
  expect((await lstat(folder.at('workspace', 'private'))).mode & 0o777).toBe(0o700);
});

test('what was not covered before the turn is left alone, also by force', async () => {
  await using folder = await temporaryDirectory();
  const workspace = await prepared(folder, tree({ env: file('secret'), new: file('new') }));
  const { changes, read } = changesBetween(tree({}), tree({ env: file('secret'), new: file('new') }));
  const marked = changes.map((change) =>
    change.path === 'env' ? { ...change, wasUncovered: true as const } : change,
  );
  const current = await readDisk({ workspace, changes: marked });
  const plan = await planRestore({ changes: marked, read, current, force: true });
  await applyRestore(plan, { workspace, stateDir: folder.at('state') });
  expect(shown(await readTree(workspace))).toEqual({ env: 'file 644 secret' });
});

import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { planRestore } from '../plan.ts';
import { readDisk } from '../read-disk.ts';
import { type Tree, changesBetween, file, link, readTree, shown, tree, writeTree } from '../tree.fixture.ts';
import { applyRestore, applyStepwise } from './apply.ts';
import { finishRestores } from './finish.ts';

/** Undoes what led from `before` to `after` where `now` is on the disk; returns what is there then. */
async function undo(trees: { before: Tree; after: Tree; now?: Tree; force?: boolean }) {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  await writeTree(workspace, trees.before);
  const before = await readTree(workspace);
  await writeTree(workspace, trees.after);
  const after = await readTree(workspace);
  if (trees.now !== undefined) await writeTree(workspace, trees.now);
  const { changes, read, folderBefore } = changesBetween(before, after);
  const current = await readDisk({ workspace, changes });
  const plan = await planRestore({ changes, current, read, folderBefore, force: trees.force ?? false });
  const untouched = await readTree(workspace);
  if (plan.conflicts.length > 0) {
    await expect(applyRestore(plan, { workspace, stateDir })).rejects.toMatchObject({ code: 'conflict' });
    expect(shown(await readTree(workspace))).toEqual(shown(untouched));
  } else {
    await applyRestore(plan, { workspace, stateDir });
    expect(await finishRestores({ workspace, stateDir })).toEqual([]);
    expect(await readdir(folder.at('state', 'restores'), { recursive: true })).toHaveLength(
      plan.steps.length === 0 ? 1 : 1,
    );
  }
  return { plan, left: await readTree(workspace), before: shown(before), after: shown(after) };
}

test('content, rights, kind and absence are as before', async () => {
  const { plan, left, before } = await undo({
    before: tree({
      'a.txt': file('one\r\ntwo'),
      'run.sh': file('echo', 0o755),
      gone: file('', 0o600),
      'deep/er/x': file('x', 0o640),
      here: link('a.txt'),
      swap: link('a.txt'),
    }),
    after: tree({
      'a.txt': file('one\n'),
      'run.sh': file('echo', 0o644),
      new: file('new'),
      'made/by/it': file('it'),
      here: link('run.sh'),
      swap: file('a file now'),
    }),
  });
  expect(plan.conflicts).toEqual([]);
  expect(shown(left)).toEqual(before);
});

test('a file becomes a folder again, and a folder a file', async () => {
  const { left, before } = await undo({
    before: tree({ 'a/b/c': file('c'), 'a/d': file('d'), x: file('x') }),
    after: tree({ a: file('a'), 'x/y/z': file('z'), 'x/w': link('y') }),
  });
  expect(shown(left)).toEqual(before);
});

test('what was changed since is merged, exact to the byte', async () => {
  const lines = (first: string, last: string) => file(`${first}\r\n1\r\n2\r\n3\r\n4\r\n${last}`);
  const { left, plan } = await undo({
    before: tree({ f: lines('a', 'z') }),
    after: tree({ f: lines('A', 'z') }),
    now: tree({ f: lines('A', 'Z') }),
  });
  expect(plan.files).toEqual([{ path: 'f', action: 'merged' }]);
  expect(shown(left)).toEqual({ f: 'file 644 a\r\n1\r\n2\r\n3\r\n4\r\nZ' });
});

test('a conflict touches nothing, and force takes the old side only there', async () => {
  const trees = {
    before: tree({ f: file('a\n1\n2\n3\n4\nz\n'), g: file('g\n') }),
    after: tree({ f: file('A\n1\n2\n3\n4\nz\n'), g: file('G\n') }),
    now: tree({ f: file('other\n1\n2\n3\n4\nZ\n'), g: file('G\n') }),
  };
  const refused = await undo(trees);
  expect(refused.plan.conflicts).toEqual([{ path: 'f', why: 'content' }]);
  const forced = await undo({ ...trees, force: true });
  expect(shown(forced.left)).toEqual({ f: 'file 644 a\n1\n2\n3\n4\nZ\n', g: 'file 644 g\n' });
});

test('a folder that was replaced by a link is not followed', async () => {
  await using folder = await temporaryDirectory();
  const [workspace, outside] = [folder.at('workspace'), folder.at('outside')];
  await mkdir(workspace);
  await mkdir(outside);
  await writeFile(folder.at('outside', 'f'), 'after');
  await symlink(outside, folder.at('workspace', 'd'));
  const { changes, read } = changesBetween(tree({ 'd/f': file('before') }), tree({ 'd/f': file('after') }));
  const current = await readDisk({ workspace, changes });
  const plan = await planRestore({ changes, current, read, force: true });
  expect(plan.conflicts).toEqual([{ path: 'd/f', why: 'blocked' }]);
  expect(shown(await readTree(outside))).toEqual({ f: 'file 644 after' });
});

/** Undoes a rename, perhaps with an edit in it, where the renamed file is now this. */
async function undoRename(after: string, now: Readonly<Record<string, string>>) {
  await using folder = await temporaryDirectory();
  const [workspace, stateDir] = [folder.at('workspace'), folder.at('state')];
  await mkdir(workspace);
  await writeTree(
    workspace,
    tree(Object.fromEntries(Object.entries(now).map(([name, text]) => [name, file(text)]))),
  );
  const { changes, read } = changesBetween(
    tree({ old: file(numbered('line')) }),
    tree({ 'made/new': file(after) }),
  );
  const [before, added] = [changes.find(({ path }) => path === 'old')?.before, changes[0]?.after];
  const renamed = [
    { path: 'made/new', oldPath: 'old', ...(before && { before }), ...(added && { after: added }) },
  ];
  const plan = await planRestore({
    changes: renamed,
    read,
    current: await readDisk({ workspace, changes: renamed }),
  });
  if (plan.conflicts.length > 0) return plan.conflicts;
  await applyRestore(plan, { workspace, stateDir });
  return shown(await readTree(workspace));
}

function numbered(word: string): string {
  return Array.from({ length: 20 }, (_, index) => `${word} ${String(index)}\n`).join('');
}

test('a renamed file has its old name again, with what was changed since', async () => {
  const [text, edited] = [numbered('line'), numbered('line').replace('line 3\n', 'by the turn\n')];
  const byUser = (content: string) => content.replace('line 17\n', 'by the user\n');
  expect(await undoRename(text, { 'made/new': text })).toEqual({ old: `file 644 ${text}` });
  expect(await undoRename(edited, { 'made/new': byUser(edited) })).toEqual({
    old: `file 644 ${byUser(text)}`,
  });
  expect(await undoRename(text, { 'made/new': byUser(text) })).toEqual({ old: `file 644 ${byUser(text)}` });
  expect(await undoRename(text, { 'made/new': text, old: 'of the user' })).toEqual([
    { path: 'old', why: 'exists' },
  ]);
  expect(await undoRename(text, { other: text })).toEqual([{ path: 'made/new', why: 'deleted' }]);
});

test('a rename that changes only the case moves the name away first', async () => {
  const { changes, read } = changesBetween(tree({ README: file('x') }), tree({ readme: file('x') }));
  await using folder = await temporaryDirectory();
  await writeTree(folder.path, tree({ readme: file('x') }));
  const current = await readDisk({ workspace: folder.path, changes });
  expect([...current.twins]).toEqual(['readme', 'README']);
  const plan = await planRestore({ changes, read, current });
  const order: string[] = [];
  const reached = (step: string) => order.push(step);
  await applyStepwise(plan, { workspace: folder.path, stateDir: folder.at('state') }, { reached });
  expect(order.indexOf('remove readme')).toBeLessThan(order.indexOf('write README'));
});

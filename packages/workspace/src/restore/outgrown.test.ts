import { mkdir, readFile, readlink, rm, symlink, truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inShort, testWorkspace, type TestWorkspace } from '../checkpoint/workspace.fixture.ts';
import { planRestore, type RestorePlan } from './plan.ts';
import { readDisk } from './read-disk.ts';
import { applyRestore } from './transaction/apply.ts';

const limits = { maxFileBytes: 10, maxBytes: 100 };
const small = 'small\n';
const grown = 'more than ten bytes\n';
const huge = 'x'.repeat(101);

/** Plans to make the files as `before` again, as they were changed up to `after`. */
async function planned(
  { checkpoints, folder: workspace }: TestWorkspace,
  before: string,
  after: string,
  force = false,
): Promise<RestorePlan> {
  const changes = await checkpoints.compare(before, after);
  return planRestore({
    changes,
    current: await readDisk({ workspace, changes }),
    read: (blob) => checkpoints.read(blob),
    force,
    mostReplacedBytes: checkpoints.mostIncludedBytes,
  });
}

/** Applies a plan between two checkpoints with all that it replaces. */
async function applied(
  workspace: TestWorkspace,
  plan: RestorePlan,
): Promise<{ readonly before: string; readonly after: string }> {
  expect(plan.conflicts).toEqual([]);
  const { checkpoints, folder, stateDir } = workspace;
  const including = plan.files.map(({ path }) => path);
  const before = await checkpoints.take({ including });
  await applyRestore(plan, { workspace: folder, stateDir });
  return { before: before.id, after: (await checkpoints.take({ including })).id };
}

test('a file that grew over the limit is undone, redone, and undone again, and never listed as deleted', async () => {
  await using workspace = await testWorkspace({ limits });
  const { checkpoints, at } = workspace;
  await workspace.write({ log: small, other: '1' });
  const before = await checkpoints.take();
  await workspace.write({ log: grown, other: '2' });
  const after = await checkpoints.take();

  const changes = await checkpoints.compare(before.id, after.id);
  expect(inShort(changes)).toEqual(['modified log', 'modified other']);
  expect(changes[0]).toMatchObject({ isTooLarge: true, additions: 0, deletions: 0 });
  expect(after.omitted).toEqual([{ path: 'log', why: 'too-large' }]);

  for (let count = 0; count < 2; count++) {
    const undo = await applied(workspace, await planned(workspace, before.id, after.id));
    expect(await readFile(at('log'), 'utf8')).toBe(small);
    await applied(workspace, await planned(workspace, undo.before, undo.after));
    expect(await readFile(at('log'), 'utf8')).toBe(grown);
  }
});

test('a file over the limit that was changed again is a conflict; force replaces it, and redo brings it back', async () => {
  await using workspace = await testWorkspace({ limits });
  const { checkpoints, at } = workspace;
  await workspace.write({ log: small });
  const before = await checkpoints.take();
  await workspace.write({ log: grown });
  const after = await checkpoints.take();
  const edited = `${grown}of the user\n`;
  await workspace.write({ log: edited });

  const refused = await planned(workspace, before.id, after.id);
  expect(refused.conflicts).toEqual([{ path: 'log', why: 'too-large' }]);
  const undo = await applied(workspace, await planned(workspace, before.id, after.id, true));
  expect(await readFile(at('log'), 'utf8')).toBe(small);
  await applied(workspace, await planned(workspace, undo.before, undo.after));
  expect(await readFile(at('log'), 'utf8')).toBe(edited);
});

test('a file that is too large to be stored first is not replaced, not even by force', async () => {
  await using workspace = await testWorkspace({ limits });
  const { checkpoints, at } = workspace;
  await workspace.write({ log: small });
  const before = await checkpoints.take();
  await workspace.write({ log: huge, made: '1' });
  const after = await checkpoints.take();
  // The user lets a file of the turn grow.
  await workspace.write({ made: huge });

  for (const force of [false, true]) {
    const plan = await planned(workspace, before.id, after.id, force);
    expect(plan.conflicts).toContainEqual({ path: 'log', why: 'too-large' });
    if (force) expect(plan.conflicts).toContainEqual({ path: 'made', why: 'too-large' });
  }
  await expect(checkpoints.take({ including: ['log'] })).rejects.toMatchObject({ code: 'too-large' });
  expect(await readFile(at('log'), 'utf8')).toBe(huge);
});

test('5 GB that a file grew to are not read', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ log: small });
  const before = await checkpoints.take();
  await truncate(at('log'), 5 * 1024 ** 3);
  const after = await checkpoints.take();

  const [change] = await checkpoints.compare(before.id, after.id);
  expect(change).toMatchObject({ isTooLarge: true, after: { blob: '0'.repeat(40) } });
});

test('a file that the user let grow, or ignores since, is brought back after force deleted it', async () => {
  await using workspace = await testWorkspace({ limits });
  const { checkpoints, at } = workspace;
  await workspace.write({ kept: '1' });
  const before = await checkpoints.take();
  await workspace.write({ made: 'turn', hidden: 'turn' });
  const after = await checkpoints.take();
  await workspace.write({ made: grown, hidden: 'user', '.gitignore': 'hidden\n' });

  const undo = await applied(workspace, await planned(workspace, before.id, after.id, true));
  await expect(readFile(at('made'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(readFile(at('hidden'))).rejects.toMatchObject({ code: 'ENOENT' });
  await applied(workspace, await planned(workspace, undo.before, undo.after));
  expect(await readFile(at('made'), 'utf8')).toBe(grown);
  expect(await readFile(at('hidden'), 'utf8')).toBe('user');
});

test('a file that is over the limit no more is an ordinary one for later checkpoints', async () => {
  await using workspace = await testWorkspace({ limits });
  const { checkpoints } = workspace;
  await workspace.write({ log: small });
  const before = await checkpoints.take();
  await workspace.write({ log: grown });
  await checkpoints.take();
  await workspace.write({ log: 'short' });
  const after = await checkpoints.take();

  const [change] = await checkpoints.compare(before.id, after.id);
  expect(change).toMatchObject({ path: 'log', status: 'modified', additions: 1, deletions: 1 });
  expect(change?.isTooLarge).toBeUndefined();
});

test('an undo that makes a folder of a link again is redone, and does not take the files behind the link for its own', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'folder/file': '1', 'folder/second': '2', 'target/file': 'behind the link' });
  const before = await checkpoints.take();
  await rm(at('folder'), { recursive: true });
  await symlink('target', at('folder'));
  const after = await checkpoints.take();

  for (let count = 0; count < 2; count++) {
    const undo = await applied(workspace, await planned(workspace, before.id, after.id));
    expect(await readFile(at('folder/file'), 'utf8')).toBe('1');
    await applied(workspace, await planned(workspace, undo.before, undo.after));
    expect(await readlink(at('folder'))).toBe('target');
  }
  expect(await readFile(at('target/file'), 'utf8')).toBe('behind the link');
});

test('an undo that makes a link of a folder again is redone', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'target/file': 'behind the link' });
  await symlink('target', at('folder'));
  const before = await checkpoints.take();
  await rm(at('folder'));
  await mkdir(at('folder'));
  await workspace.write({ 'folder/file': '1' });
  const after = await checkpoints.take();

  const undo = await applied(workspace, await planned(workspace, before.id, after.id));
  expect(await readlink(at('folder'))).toBe('target');
  await applied(workspace, await planned(workspace, undo.before, undo.after));
  expect(await readFile(at('folder/file'), 'utf8')).toBe('1');
});

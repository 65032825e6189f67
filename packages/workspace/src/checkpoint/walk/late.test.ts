import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inShort, testWorkspace, type TestWorkspace } from '../workspace.fixture.ts';

test('what changed after the moment of a checkpoint is taken from the one before', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ early: '1', late: '1', 'deleted/early': 'd', 'removed/late': 'r', mode: 'm' });
  const first = await checkpoints.take();
  await workspace.write({ early: '2', 'new-early': 'n' });
  await rm(at('deleted/early'));
  const moment = await momentAfter(workspace);
  await workspace.write({ late: '2', 'new-late': 'n' });
  await rm(at('removed/late'));
  await chmod(at('mode'), 0o600);

  const before = await checkpoints.take({ changedSince: () => moment });
  const after = await checkpoints.take();

  expect(inShort(await checkpoints.compare(first.id, before.id))).toEqual([
    'deleted deleted/early',
    'modified early',
    'added new-early',
  ]);
  expect(before.omitted).toEqual([]);
  const changes = await checkpoints.compare(before.id, after.id);
  expect(inShort(changes)).toEqual(['modified late', 'mode mode', 'added new-late', 'deleted removed/late']);
  expect(changes[2]?.wasUncovered).toBeUndefined();
});

test('without an earlier checkpoint, what changed after the moment is omitted as late, and never safe to delete', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.write({ early: '1', late: '1' });
  const moment = await momentAfter(workspace);
  await workspace.write({ late: '2', created: 'c' });

  const before = await checkpoints.take({ changedSince: () => moment });
  const after = await checkpoints.take();

  expect(before.omitted).toEqual([
    { path: 'created', why: 'late' },
    { path: 'late', why: 'late' },
  ]);
  const changes = await checkpoints.compare(before.id, after.id);
  expect(changes).toMatchObject([
    { path: 'created', status: 'added', wasUncovered: true },
    { path: 'late', status: 'added', wasUncovered: true },
  ]);
});

test('a new file of the user that changed again after the moment, or whose folder was renamed, is never safe to delete', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'folder/file': '1' });
  await checkpoints.take();
  await workspace.write({ mine: '1' });
  const moment = await momentAfter(workspace);
  await writeFile(at('mine'), '2');
  await rename(at('folder'), at('renamed'));

  const before = await checkpoints.take({ changedSince: () => moment });
  const after = await checkpoints.take();

  expect(before.omitted).toEqual([
    { path: 'mine', why: 'late' },
    { path: 'renamed/file', why: 'late' },
  ]);
  const changes = await checkpoints.compare(before.id, after.id);
  expect(changes.find(({ path }) => path === 'mine')).toMatchObject({ status: 'added', wasUncovered: true });
});

/** A moment that the file system's clock has passed: later than all changes so far, earlier than the next one. */
async function momentAfter({ at }: TestWorkspace): Promise<number> {
  const mark = at('../mark');
  await writeFile(mark, '');
  const { ctimeMs } = await stat(mark);
  const moment = Math.floor(ctimeMs) + 1;
  for (;;) {
    await utimes(mark, new Date(), new Date());
    if ((await stat(mark)).ctimeMs > moment + 1) return moment;
  }
}

test('a moment that comes while files are read: what was read before counts, and what changed before it was read is late', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  const names = Array.from({ length: 300 }, (_, index) => String(index).padStart(3, '0'));
  await workspace.write(Object.fromEntries(names.map((name) => [name, '1'])));
  // The latest one is read first.
  for (const name of names) await utimes(at(name), Number(name), 1000 - Number(name));
  let asked = 0;
  let moment: number | undefined;
  const changedSince = (): number | undefined => {
    asked += 1;
    if (asked < 50 || moment !== undefined) return moment;
    moment = Date.now();
    // The file system's clock passes it.
    const probe = at('../probe');
    do writeFileSync(probe, '');
    while (statSync(probe).ctimeMs <= moment + 5);
    for (const name of ['003', '251', '299']) writeFileSync(at(name), '2');
    rmSync(at('004'));
    rmSync(at('252'));
    writeFileSync(at('new'), 'n');
    renameSync(at('new'), at('253'));
    return moment;
  };

  const before = await checkpoints.take({ changedSince });
  const after = await checkpoints.take();

  expect(before.omitted).toEqual(['251', '252', '253', '299'].map((name) => ({ path: name, why: 'late' })));
  const changes = await checkpoints.compare(before.id, after.id);
  expect(changes.filter(({ wasUncovered }) => wasUncovered !== true)).toMatchObject([
    { path: '003', status: 'modified' },
    { path: '004', status: 'deleted' },
  ]);
  expect(inShort(changes.filter(({ wasUncovered }) => wasUncovered === true))).toEqual([
    'added 251',
    'added 253',
    'added 299',
  ]);
});

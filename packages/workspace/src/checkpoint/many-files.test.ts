import { mkdir, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { planRestore } from '../restore/plan.ts';
import { readDisk } from '../restore/read-disk.ts';
import { applyRestore } from '../restore/transaction/apply.ts';
import { testWorkspace } from './workspace.fixture.ts';

/** `PARLEY_FILES` sets more: the CI step has 200,000. */
const files = Number(process.env['PARLEY_FILES'] ?? 4000);
const perFolder = 100;

test(`of ${String(files)} files, those that changed are found and undone, and an unchanged workspace is the same checkpoint`, async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  const folders = Math.ceil(files / perFolder);
  for (let folder = 0; folder < folders; folder += 1) {
    await mkdir(at(`f${String(folder)}`));
    await Promise.all(
      Array.from({ length: perFolder }, (_, file) =>
        writeFile(at(`f${String(folder)}/${String(file)}.txt`), `${String(folder)} ${String(file)}\n`),
      ),
    );
  }
  const before = await checkpoints.take();
  expect(before.omitted).toEqual([]);
  expect((await checkpoints.take()).id).toBe(before.id);

  const last = String(folders - 1);
  await writeFile(at('f0/0.txt'), 'changed\n');
  await rm(at(`f${last}/99.txt`));
  await writeFile(at(`f${last}/new.txt`), 'quite another text\n');
  const after = await checkpoints.take();

  const changes = await checkpoints.compare(before.id, after.id);
  expect(changes).toMatchObject([
    { path: 'f0/0.txt', status: 'modified' },
    { path: `f${last}/99.txt`, status: 'deleted' },
    { path: `f${last}/new.txt`, status: 'added' },
  ]);

  const plan = await planRestore({
    changes,
    current: await readDisk({ workspace: workspace.folder, changes }),
    read: (blob) => checkpoints.read(blob),
    mostReplacedBytes: checkpoints.mostIncludedBytes,
  });
  await applyRestore(plan, { workspace: workspace.folder, stateDir: workspace.stateDir });
  const undone = await checkpoints.take();
  expect(await checkpoints.compare(before.id, undone.id)).toEqual([]);
}, 600_000);

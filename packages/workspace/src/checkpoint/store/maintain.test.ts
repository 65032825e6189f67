import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints } from '../checkpoints.ts';
import { openGit } from '../git.ts';
import { inShort, testWorkspace, type TestWorkspace } from '../workspace.fixture.ts';
import { maintainStore, removeOldStores, type StoreLimits } from './maintain.ts';
import { lockStore, openStore, type StoreFolder } from './store.ts';

const day = 24 * 3_600_000;
const wide: StoreLimits = { maxBytes: 1024 ** 3, maxAgeMs: 30 * day };

test('checkpoints over the age limit are dropped with their objects, and reading one is an error', async () => {
  let now = 1_000 * day;
  await using workspace = await testWorkspace({ now: () => now });
  const { checkpoints } = workspace;
  await workspace.write({ file: 'old content', stays: 'same' });
  const old = await checkpoints.take();
  const [entry] = await checkpoints.entries(old.id);
  now += 20 * day;
  await workspace.write({ file: 'newer content' });
  const newer = await checkpoints.take();
  now += 20 * day;
  await workspace.write({ file: 'newest content' });
  const newest = await checkpoints.take();

  await maintain(workspace, wide, now);

  await expect(checkpoints.entries(old.id)).rejects.toMatchObject({ code: 'expired' });
  await expect(checkpoints.compare(old.id, newest.id)).rejects.toMatchObject({ code: 'expired' });
  await expect(checkpoints.read(entry?.blob ?? '')).rejects.toMatchObject({ code: 'expired' });
  expect(inShort(await checkpoints.compare(newer.id, newest.id))).toEqual(['modified file']);
  await workspace.write({ file: 'after', more: 'more' });
  expect(inShort(await checkpoints.compare(newest.id, (await checkpoints.take()).id))).toEqual([
    'modified file',
    'added more',
  ]);
});

test('the oldest checkpoints are dropped until the store is under its limit, and the newest stays', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  const ids: string[] = [];
  for (let turn = 0; turn < 8; turn++) {
    await workspace.write({ file: Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))) });
    ids.push((await checkpoints.take()).id);
  }

  await maintain(workspace, { ...wide, maxBytes: 250_000 });

  const readable = await Promise.all(
    ids.map((id) =>
      checkpoints.entries(id).then(
        () => true,
        () => false,
      ),
    ),
  );
  const firstReadable = readable.indexOf(true);
  expect(firstReadable).toBeGreaterThan(2);
  expect(readable.slice(firstReadable)).not.toContain(false);
  await maintain(workspace, { ...wide, maxBytes: 1 });
  expect(await checkpoints.entries(ids.at(-1) ?? '')).toHaveLength(1);
  await expect(checkpoints.entries(ids.at(-2) ?? '')).rejects.toMatchObject({ code: 'expired' });
});

test('many loose objects are packed, nested repositories included, and all checkpoints stay readable', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.git('init', '-q', 'nested');
  await workspace.write({ 'nested/file': 'nested' });
  const ids: string[] = [];
  for (let turn = 0; turn < 7; turn++) {
    const files = Array.from({ length: 190 }, (_, index) => [
      `f/${String(index)}`,
      `${String(turn)} ${String(index)}`,
    ]);
    await workspace.write(Object.fromEntries(files) as Record<string, string>);
    ids.push((await checkpoints.take()).id);
  }

  await maintain(workspace, wide);

  const { gitDir } = await storeOf(workspace);
  const loose = await readdir(path.join(gitDir, 'objects'), { recursive: true, withFileTypes: true });
  expect(loose.filter((entry) => entry.isFile() && /^[0-9a-f]{38}$/u.test(entry.name))).toEqual([]);
  for (const id of ids) expect(await checkpoints.entries(id)).toHaveLength(191);
  await maintain(workspace, { ...wide, maxAgeMs: -1 });
  await workspace.write({ 'nested/file': 'changed' });
  expect(inShort(await checkpoints.compare(ids.at(-1) ?? '', (await checkpoints.take()).id))).toEqual([
    'modified nested/file',
  ]);
});

test('maintenance leaves a store alone that a take holds, and ends when a take waits', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.write({ file: 'x' });
  const { id } = await checkpoints.take();
  const store = await storeOf(workspace);
  const held = await lockStore(store);
  await maintain(workspace, { ...wide, maxAgeMs: -1 });
  await held.release();

  const controller = new AbortController();
  controller.abort();
  await maintain(workspace, { ...wide, maxAgeMs: -1 }, undefined, controller.signal);

  expect(await checkpoints.entries(id)).toHaveLength(1);
});

test('the store of a workspace that was not used for long is removed', async () => {
  await using workspace = await testWorkspace({ now: () => 1_000 * day });
  await using other = await testWorkspace({ stateDir: workspace.stateDir, now: () => 1_020 * day });
  await workspace.checkpoints.take();
  const { id } = await other.checkpoints.take();

  await removeOldStores(workspace.stateDir, { maxAgeMs: 30 * day, now: 1_040 * day });

  expect(await other.checkpoints.entries(id)).toEqual([]);
  expect(await readdir(path.join(workspace.stateDir, 'checkpoints'))).toHaveLength(2);
  await using again = await openCheckpoints({ workspace: workspace.folder, stateDir: workspace.stateDir });
  expect((await again.take()).omitted).toEqual([]);
});

async function storeOf({ folder, stateDir }: TestWorkspace): Promise<StoreFolder> {
  return await openStore(folder, stateDir);
}

async function maintain(
  workspace: TestWorkspace,
  limits: StoreLimits,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<void> {
  const store = await storeOf(workspace);
  const git = await openGit(workspace.folder, path.join(workspace.stateDir, 'checkpoints', 'no-settings'));
  await maintainStore({ git, store, limits, now, signal });
}

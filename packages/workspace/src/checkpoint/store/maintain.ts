import { access, lstat, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkNotAborted, WorkspaceError } from '../../error.ts';
import { takeLock } from '../../log/lock.ts';
import type { Git } from '../git.ts';
import {
  lockFile,
  readCheckpoints,
  readState,
  type StoreFolder,
  type StoreState,
  waitingFile,
  writeCheckpoints,
} from './store.ts';

/** Limits of a checkpoint store. */
export interface StoreLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** What is maintained, and until when. */
export interface MaintainRequest {
  readonly git: Git;
  readonly store: StoreFolder;
  readonly limits: StoreLimits;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes checkpoints over the limits, oldest first, and packs loose objects. The newest checkpoint stays. Stops
 * early when a take waits for the store.
 */
export async function maintainStore(request: MaintainRequest): Promise<void> {
  const { store, signal } = request;
  const lock = await takeLock(lockFile(store));
  if (!lock.isTaken) return;
  const yielding = new AbortController();
  const waiting = waitingFile(store);
  await rm(waiting, { force: true });
  const watch = setInterval(() => {
    access(waiting).then(
      () => yielding.abort(),
      () => undefined,
    );
  }, yieldCheckMs);
  const abort = (): void => yielding.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    await maintainLocked({ ...request, signal: yielding.signal });
  } catch (error) {
    // The next run continues where this one stopped.
    if (!(error instanceof WorkspaceError && error.code === 'aborted')) throw error;
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    await lock.release();
  }
}

/** Interval of checks whether maintenance should pause for a checkpoint. */
const yieldCheckMs = 50;

async function maintainLocked(request: MaintainRequest): Promise<void> {
  const { store, limits, now, signal } = request;
  await removeLeftovers(store);
  const state = await readState(store);
  const isCurrent = ({ id }: { readonly id: string }): boolean => id === state?.checkpoint;
  const all = await readCheckpoints(store);
  const young = all.filter(
    (checkpoint) => isCurrent(checkpoint) || now - checkpoint.takenAt <= limits.maxAgeMs,
  );
  if (young.length < all.length) await drop(store, young);
  let stored = young;
  let size = await measure(request);
  for (;;) {
    if (size.bytes > limits.maxBytes && stored.length > 1) {
      const count = Math.max(1, Math.floor(stored.length / 4));
      const oldest = new Set(stored.filter((checkpoint) => !isCurrent(checkpoint)).slice(0, count));
      stored = stored.filter((checkpoint) => !oldest.has(checkpoint));
      await drop(store, stored);
    }
    if (!(await isDropped(store)) && size.packs <= mostPacks) break;
    checkNotAborted(signal, 'pack checkpoints');
    await packAll(request, [...stored.map(({ id }) => id), ...treesOf(state)]);
    const packed = await measure(request);
    const isOver = packed.bytes > limits.maxBytes && stored.length > 1;
    size = { ...packed, packs: 0 };
    if (!isOver) break;
  }
  if (size.loose > mostLoose) await packLoose(request);
}

/** Loose objects before they are packed. */
const mostLoose = 1000;
/** Packs before they are combined. */
const mostPacks = 20;

interface StoreSize {
  readonly bytes: number;
  readonly loose: number;
  readonly packs: number;
}

/** Measures the store. Most takes need no maintenance, so the size is counted in this process. */
async function measure({ store }: MaintainRequest): Promise<StoreSize> {
  const packs = path.join(store.gitDir, 'objects', 'pack');
  const names = await readdir(packs);
  const loose = (await looseObjects(store)).flatMap(({ folder, names: objects }) =>
    objects.map((name) => path.join(folder, name)),
  );
  let bytes = 0;
  for (const file of [...names.map((name) => path.join(packs, name)), ...loose]) {
    const stats = await lstat(file).catch(() => undefined);
    // On most disks a file takes whole blocks.
    bytes += stats === undefined ? 0 : stats.blocks * 512 || stats.size;
  }
  return { bytes, loose: loose.length, packs: names.filter((name) => name.endsWith('.pack')).length };
}

/** The mark stays until the objects of removed checkpoints are deleted: after a kill, the next run deletes them. */
async function drop(store: StoreFolder, remaining: Parameters<typeof writeCheckpoints>[1]): Promise<void> {
  await writeFile(droppedFile(store), '', { mode: 0o600 });
  await writeCheckpoints(store, remaining);
}

async function isDropped(store: StoreFolder): Promise<boolean> {
  return await access(droppedFile(store)).then(
    () => true,
    () => false,
  );
}

function droppedFile({ folder }: StoreFolder): string {
  return path.join(folder, 'dropped');
}

/** The trees that the next take starts from. */
function treesOf(state: StoreState | undefined): readonly string[] {
  return state === undefined ? [] : [state.checkpoint, state.files, ...state.roots.map(({ tree }) => tree)];
}

/** Writes all referenced objects into one pack, then removes everything else. */
async function packAll(request: MaintainRequest, roots: readonly string[]): Promise<void> {
  const { store } = request;
  const packs = path.join(store.gitDir, 'objects', 'pack');
  const old = await readdir(packs);
  const name = await packObjects(request, ['--revs'], roots);
  for (const file of old) {
    if (!file.startsWith(`pack-${name}.`)) await rm(path.join(packs, file), { force: true });
  }
  for (const { folder, names } of await looseObjects(store)) {
    for (const object of names) await rm(path.join(folder, object), { force: true });
  }
  await rm(droppedFile(store), { force: true });
}

/** Packs objects that have files of their own, whether anything refers to them or not. */
async function packLoose(request: MaintainRequest): Promise<void> {
  const { git, store, signal } = request;
  const ids = (await looseObjects(store)).flatMap(({ prefix, names }) =>
    names.filter((name) => /^[0-9a-f]{38}$/u.test(name)).map((name) => `${prefix}${name}`),
  );
  await packObjects(request, [], ids);
  await git.run(['prune-packed', '--quiet'], { gitDir: store.gitDir, cwd: store.gitDir, signal });
}

/** Returns the name of the pack, '' for none. */
async function packObjects(
  { git, store, signal }: MaintainRequest,
  options: readonly string[],
  ids: readonly string[],
): Promise<string> {
  const target = path.join(store.gitDir, 'objects', 'pack', 'pack');
  const args = ['pack-objects', '--quiet', '--threads=1', '--delta-base-offset', ...options, target];
  const input = ids.map((id) => `${id}\n`).join('');
  const run = { gitDir: store.gitDir, cwd: store.gitDir, input, signal, isBackground: true };
  return (await git.run(args, run)).trim();
}

interface LooseObjects {
  readonly folder: string;
  readonly prefix: string;
  readonly names: readonly string[];
}

async function looseObjects({ gitDir }: StoreFolder): Promise<readonly LooseObjects[]> {
  const objects = path.join(gitDir, 'objects');
  const found: LooseObjects[] = [];
  for (const prefix of await readdir(objects)) {
    if (!/^[0-9a-f]{2}$/u.test(prefix)) continue;
    const folder = path.join(objects, prefix);
    found.push({ folder, prefix, names: await readdir(folder) });
  }
  return found;
}

/** Removes files that killed processes left. Safe while we hold the lock. */
async function removeLeftovers(store: StoreFolder): Promise<void> {
  const packs = path.join(store.gitDir, 'objects', 'pack');
  for (const name of await readdir(packs)) {
    if (name.startsWith('tmp_') || name.startsWith('.tmp-')) {
      await rm(path.join(packs, name), { force: true });
    }
  }
  for (const { folder, names } of await looseObjects(store)) {
    for (const name of names) {
      // A power cut leaves empty files.
      const isEmpty = (await lstat(path.join(folder, name)).catch(() => undefined))?.size === 0;
      if (isEmpty || name.startsWith('tmp_')) await rm(path.join(folder, name), { force: true });
    }
  }
  for (const name of await readdir(store.gitDir)) {
    if (name.startsWith('fast_import_crash_')) await rm(path.join(store.gitDir, name), { force: true });
  }
  for (const name of await readdir(store.folder)) {
    if (/\.json\.[0-9a-f-]{36}$/u.test(name)) await rm(path.join(store.folder, name), { force: true });
  }
}

/** Removes stores whose newest checkpoint is over the age limit: their workspaces are no longer used. */
export async function removeOldStores(
  stateDir: string,
  { maxAgeMs, now }: { readonly maxAgeMs: number; readonly now: number },
): Promise<void> {
  const all = path.join(stateDir, 'checkpoints');
  for (const name of await readdir(all)) {
    if (!/^[0-9a-f]{32}$/u.test(name)) continue;
    const folder = path.join(all, name);
    const store: StoreFolder = { folder, gitDir: path.join(folder, 'git') };
    const newest = (await readCheckpoints(store)).at(-1);
    if (newest === undefined || now - newest.takenAt <= maxAgeMs) continue;
    const lock = await takeLock(lockFile(store));
    if (!lock.isTaken) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

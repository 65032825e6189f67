import { createHash } from 'node:crypto';
import { access, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkNotAborted, toWorkspaceError } from '../../error.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { type HeldLock, takeLock } from '../../log/lock.ts';
import type { RecentFile } from '../walk/recent.ts';
import type { BytePath } from '../workspace-path.ts';

/** Where the checkpoints of one workspace are stored. */
export interface StoreFolder {
  readonly folder: string;
  /** git's folder for it: objects, settings, attributes; no refs. */
  readonly gitDir: string;
}

/** The state that the last take left for the next. */
export interface StoreState {
  /** The last checkpoint; its index files go with it. */
  readonly checkpoint: string;
  /** The tree of all files, and those of each root alone. */
  readonly files: string;
  readonly roots: readonly RootState[];
  /** The name of the file next to the indexes that contains the file states. */
  readonly seen?: string;
}

/** The index of a folder with rules of its own: the workspace, or a repository nested in it. */
export interface RootState {
  readonly path: BytePath;
  /** The name of its index in the store; absent while it is empty. */
  readonly index?: string;
  readonly tree: string;
  /** What the covered files were decided by. */
  readonly rules: string;
  /** Ignored files that are in the user's index, and not in ours. */
  readonly forced: readonly BytePath[];
  readonly awaited: readonly BytePath[];
  readonly recent: readonly RecentFile[];
}

/** A checkpoint that is stored. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly takenAt: number;
}

/** Opens the store of a workspace, or makes it. */
export async function openStore(workspace: string, stateDir: string): Promise<StoreFolder> {
  const folder = storeOf(workspace, stateDir);
  const gitDir = path.join(folder, 'git');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const part of ['objects/pack', 'objects/info', 'refs', 'info', 'indexes']) {
      await mkdir(path.join(gitDir, part), { recursive: true, mode: 0o700 });
    }
    await writeOnce(path.join(folder, 'workspace.json'), `${JSON.stringify({ version: 1, workspace })}\n`);
    await writeOnce(path.join(gitDir, 'info', 'attributes'), attributes);
    await writeOnce(path.join(gitDir, 'config'), settings(await ignoresCase(workspace)));
    await writeOnce(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  } catch (error) {
    throw toWorkspaceError(error, 'create the checkpoint store', folder);
  }
  return { folder, gitDir };
}

/** Whether a workspace has a store. */
export async function hasStore(workspace: string, stateDir: string): Promise<boolean> {
  return access(path.join(storeOf(workspace, stateDir), 'git', 'HEAD')).then(
    () => true,
    () => false,
  );
}

function storeOf(workspace: string, stateDir: string): string {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  return path.join(stateDir, 'checkpoints', name);
}

/** Stores content exactly as it is on disk. These attributes override any `.gitattributes`. */
const attributes = '* -text !eol -crlf -ident !filter !working-tree-encoding !diff !merge !export-subst\n';

function settings(ignoreCase: boolean): string {
  const isUnix = process.platform !== 'win32';
  const entries: Readonly<Record<string, string>> = {
    repositoryFormatVersion: '0',
    bare: 'false',
    fileMode: String(isUnix),
    symlinks: 'true',
    ignoreCase: String(ignoreCase),
    precomposeUnicode: String(process.platform === 'darwin'),
    protectNTFS: String(!isUnix),
    protectHFS: String(process.platform === 'darwin'),
    trustctime: 'true',
    checkStat: 'default',
    autocrlf: 'false',
    safecrlf: 'false',
    // Before git 2.36 it is the name of a program.
    fsmonitor: '',
    untrackedCache: 'false',
    splitIndex: 'false',
    preloadIndex: 'true',
    sparseCheckout: 'false',
    hooksPath: '/dev/null',
    attributesFile: '/dev/null',
    excludesFile: '/dev/null',
    logAllRefUpdates: 'false',
    compression: '1',
    looseCompression: '1',
    fsync: 'none',
  };
  const core = Object.entries(entries).map(([name, value]) => `\t${name} = ${value}\n`);
  return `[core]\n${core.join('')}[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[index]\n\tsparse = false\n[diff]\n\trenames = true\n`;
}

/** Whether the file system treats `A` and `a` as the same name. */
async function ignoresCase(workspace: string): Promise<boolean> {
  const swapped = workspace.replaceAll(/[a-z]/giu, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  if (swapped === workspace) return process.platform === 'win32' || process.platform === 'darwin';
  try {
    const [one, other] = await Promise.all([lstat(workspace), lstat(swapped)]);
    return one.ino === other.ino && one.dev === other.dev;
  } catch {
    return false;
  }
}

async function writeOnce(file: string, text: string): Promise<void> {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found !== text) await replaceStoreFile(file, text);
}

/** A file of the store. After a power failure the old text may be back. */
async function replaceStoreFile(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text, { durability: 'fast' });
  } catch (error) {
    throw toWorkspaceError(error, 'write', file);
  }
}

/** Waits until no other take or maintenance holds the store. */
export async function lockStore(store: StoreFolder, signal?: AbortSignal): Promise<HeldLock> {
  for (;;) {
    checkNotAborted(signal, 'take a checkpoint');
    const attempt = await takeLock(lockFile(store));
    if (attempt.isTaken) {
      await rm(waitingFile(store), { force: true });
      return attempt;
    }
    // Maintenance ends when it finds this.
    await writeFile(waitingFile(store), '', { mode: 0o600 }).catch(() => undefined);
    await setTimeout(10);
  }
}

/** The lock of all that writes to a store. */
export function lockFile({ folder }: StoreFolder): string {
  return path.join(folder, 'lock');
}

/** A file that exists while a take waits for the lock. */
export function waitingFile({ folder }: StoreFolder): string {
  return path.join(folder, 'waiting');
}

/** The state that the last take left; undefined if it is missing or damaged: all files are then read again. */
export async function readState({ folder }: StoreFolder): Promise<StoreState | undefined> {
  return parseState(await readJson(path.join(folder, 'state.json')));
}

export async function writeState({ folder }: StoreFolder, state: StoreState): Promise<void> {
  await replaceStoreFile(path.join(folder, 'state.json'), JSON.stringify({ version: 1, ...state }));
}

/** The stored checkpoints, oldest first. */
export async function readCheckpoints({ folder }: StoreFolder): Promise<readonly StoredCheckpoint[]> {
  const value = await readJson(path.join(folder, 'checkpoints.json'));
  return Array.isArray(value) ? value.filter(isStoredCheckpoint) : [];
}

export async function writeCheckpoints(
  { folder }: StoreFolder,
  checkpoints: readonly StoredCheckpoint[],
): Promise<void> {
  await replaceStoreFile(path.join(folder, 'checkpoints.json'), JSON.stringify(checkpoints));
}

/** Removes index files, and files next to them, that no state names: those of killed or replaced takes. */
export async function removeStaleIndexes(
  { gitDir }: StoreFolder,
  state: StoreState | undefined,
): Promise<void> {
  const used = new Set([...(state?.roots ?? []).map(({ index }) => index), state?.seen]);
  const folder = path.join(gitDir, 'indexes');
  for (const name of await readdir(folder)) {
    if (!used.has(name)) await rm(path.join(folder, name), { force: true });
  }
}

/** The path of the file that contains the file states of a take. */
export function seenFile({ gitDir }: StoreFolder, name: string): string {
  return path.join(gitDir, 'indexes', name);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // Missing or damaged: the store begins anew.
    return undefined;
  }
}

function isStoredCheckpoint(value: unknown): value is StoredCheckpoint {
  return isRecord(value) && isId(value['id']) && typeof value['takenAt'] === 'number';
}

function parseState(value: unknown): StoreState | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { checkpoint, files, roots, seen } = value;
  if (!isId(checkpoint) || !isId(files) || !isListOf(roots, isRootState)) return undefined;
  return { checkpoint, files, roots, ...(isFileName(seen) && { seen }) };
}

function isListOf<Entry>(
  value: unknown,
  isEntry: (entry: unknown) => entry is Entry,
): value is readonly Entry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isRootState(value: unknown): value is RootState {
  if (!isRecord(value) || !isText(value['path']) || !isText(value['rules']) || !isId(value['tree'])) {
    return false;
  }
  const { index, forced, awaited, recent } = value;
  if (index !== undefined && !isFileName(index)) return false;
  return isListOf(forced, isText) && isListOf(awaited, isText) && isListOf(recent, isRecentFile);
}

function isFileName(value: unknown): value is string {
  return isText(value) && /^[\w-]+$/u.test(value);
}

function isRecentFile(value: unknown): value is RecentFile {
  return isListOf(value, isText) && value.length === 2 && /^\d+$/u.test(value[1] ?? '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an id of git. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}$/u.test(value);
}

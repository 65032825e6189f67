import type { FileEntry } from '../checkpoint/checkpoint.ts';
import { type WorkspacePath, type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal } from '../error.ts';
import { blobId } from './blob-id.ts';
import { byPath, foldersAbove, pathText, toCheckedPath } from './byte-path.ts';
import { type Contents, type ReadBlob, withContents } from './contents.ts';
import { type ConflictReason, decide, isLink } from './decide.ts';
import type { Found } from './look.ts';
import { mergeBytes } from './merge-bytes.ts';
import type { ChangedPaths, DiskState } from './read-disk.ts';

/** Options of a restore. */
export interface PlanOptions {
  /** The changes to undo: files become as in `before`. */
  readonly changes: readonly ChangedPaths[];
  /** The current files: the result of `readDisk`. */
  readonly current: DiskState;
  readonly read: ReadBlob;
  /** Whether conflicting later changes are overwritten. @default false */
  readonly force?: boolean;
  /** Folders that the changes created, which are removed if they are empty. @default the folders of added files */
  readonly addedFolders?: readonly WorkspacePath[];
  /** Folders that the changes removed, which are created also without files. @default those of removed files */
  readonly removedFolders?: readonly WorkspacePath[];
  /**
   * Returns the permission bits of a folder before the changes; undefined if it did not exist. @default all such
   * folders were created by the changes
   */
  readonly folderBefore?: (path: WorkspacePath) => number | undefined;
  /** A larger file is not replaced, as its content cannot be stored first: a conflict, also with `force`. @default no limit */
  readonly mostReplacedBytes?: number;
}

/** The planned change of a path. */
export interface RestoredFile {
  readonly path: WorkspacePath;
  readonly action: 'restored' | 'merged' | 'created' | 'deleted' | 'mode';
}

/** A path that cannot be restored without losing a later change. */
export interface RestoreConflict {
  readonly path: WorkspacePath;
  readonly why: ConflictReason;
}

/** What a path becomes. */
export type Wanted =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly permissions: number; readonly blob: string }
  | { readonly kind: 'link'; readonly blob: string };

/** A path that is changed, only while it is what was found. */
export interface RestoreStep {
  readonly path: BytePath;
  readonly from: Found;
  readonly to: Wanted;
}

/** A planned restore. Nothing is changed before it is applied, and it cannot be applied if there are conflicts. */
export interface RestorePlan {
  readonly files: readonly RestoredFile[];
  readonly conflicts: readonly RestoreConflict[];
  readonly steps: readonly RestoreStep[];
  /** Folders that are removed because a file takes their name, the deepest first. */
  readonly clearedFolders: readonly BytePath[];
  /** Folders that the changes created, and that are removed if they are empty, the deepest first. */
  readonly madeFolders: readonly BytePath[];
  /** Folders that are created also without files, the deepest last. */
  readonly emptyFolders: readonly BytePath[];
  readonly twins: ReadonlySet<BytePath>;
  readonly folderBefore: (path: WorkspacePath) => number | undefined;
  readonly read: ReadBlob;
}

/** Size of a file that can be merged. */
const mostMergeBytes = 64 * 1024 * 1024;

/** Plans to undo changes of files, merged with later changes. */
export async function planRestore(options: PlanOptions): Promise<RestorePlan> {
  const { current, read, force = false, mostReplacedBytes = Number.POSITIVE_INFINITY } = options;
  const contents = withContents(read);
  const steps = new Map<BytePath, RestoreStep>();
  const files = new Map<BytePath, RestoredFile['action']>();
  const conflicts = new Map<BytePath, ConflictReason>();
  for (const pair of toPairs(options)) {
    const now = nowAt(current, pair.source);
    const isOver = now.kind === 'file' && now.size > mostReplacedBytes;
    const to = await settle(pair, { current, contents, force });
    if (to === undefined) continue;
    if (typeof to === 'string' || isOver) {
      conflicts.set(pair.source, typeof to === 'string' ? to : 'too-large');
      continue;
    }
    const { path, source, before } = pair;
    const from = nowAt(current, path);
    steps.set(path, { path, from, to });
    files.set(path, actionOf(from, to, before));
    if (source === path) continue;
    steps.set(source, { path: source, from: nowAt(current, source), to: { kind: 'absent' } });
    files.set(source, 'deleted');
  }
  const clearedFolders: BytePath[] = [];
  for (const step of steps.values()) {
    const obstacle = obstacleOf(step, steps, current);
    if (obstacle !== undefined) conflicts.set(step.path, obstacle);
    else if (step.from.kind === 'folder' && step.to.kind !== 'absent') {
      const members = current.members.get(step.path) ?? [];
      clearedFolders.push(step.path, ...members.filter(({ isFolder }) => isFolder).map(({ path }) => path));
    }
  }
  const folderBefore = options.folderBefore ?? (() => undefined);
  return {
    files: [...files].map(([path, action]) => ({ path: toWorkspacePath(path), action })),
    conflicts: [...conflicts].map(([path, why]) => ({ path: toWorkspacePath(path), why })),
    steps: [...steps.values()],
    clearedFolders: deepestFirst(clearedFolders),
    madeFolders: madeFolders([...steps.values()], options),
    emptyFolders: emptyFolders(options),
    twins: current.twins,
    folderBefore,
    read: contents.read,
  };
}

/** A file that a change touched: where it is now, and where it was before. */
interface Pair {
  readonly path: BytePath;
  readonly source: BytePath;
  readonly before: FileEntry | undefined;
  readonly after: FileEntry | undefined;
  /** The content of `after` is not stored. */
  readonly isTooLarge?: true | undefined;
}

function toPairs({ changes, current }: PlanOptions): readonly Pair[] {
  const pairs = changes
    .filter(({ wasUncovered }) => wasUncovered !== true)
    .flatMap(({ path, oldPath, before, after, isTooLarge }): Pair[] => {
      const source = toCheckedPath(path);
      if (oldPath === undefined) return [{ path: source, source, before, after, isTooLarge }];
      const old = toCheckedPath(oldPath);
      // A merge goes along with the renamed file, unless its old name is in use again.
      if (nowAt(current, old).kind === 'absent') return [{ path: old, source, before, after }];
      return [
        { path: source, source, before: undefined, after },
        { path: old, source: old, before, after: undefined },
      ];
    });
  const seen = new Set<BytePath>();
  for (const one of pairs.flatMap(({ path, source }) => (path === source ? [path] : [path, source]))) {
    if (seen.has(one)) {
      throw refusal('restore', pathText(toWorkspacePath(one)), 'invalid-path', 'two changes name it');
    }
    seen.add(one);
  }
  return pairs;
}

interface Settling {
  readonly current: DiskState;
  readonly contents: Contents;
  readonly force: boolean;
}

/** The restore of a path; undefined if it already has the wanted state. */
async function settle(pair: Pair, settling: Settling): Promise<Wanted | ConflictReason | undefined> {
  const { path, source, before, after } = pair;
  const { current, force } = settling;
  const now = nowAt(current, source);
  const decision = decide(before, after, now, force);
  switch (decision.kind) {
    case 'nothing':
      return path === source ? undefined : toWanted(before);
    case 'restore':
      return toWanted(before);
    case 'conflict':
      return force && decision.canForce ? toWanted(before) : decision.why;
    case 'change': {
      const content = await settleContent(decision.content, pair, settling);
      if (typeof content === 'string') return content;
      const { permissions } = decision;
      const isSame = now.kind === 'file' && now.blob === content.blob && now.permissions === permissions;
      if (isSame && path === source) return undefined;
      return { kind: 'file', permissions, blob: content.blob };
    }
  }
}

async function settleContent(
  content: 'before' | 'now' | 'merged',
  { path, source, before, after, isTooLarge }: Pair,
  { current, contents, force }: Settling,
): Promise<{ readonly blob: string } | ConflictReason> {
  const now = nowAt(current, source);
  if (before === undefined || after === undefined || now.kind !== 'file') return 'kind';
  if (content === 'before') return { blob: before.blob };
  // Only its rights change: its content is not needed.
  if (content === 'now' && path === source) return { blob: now.blob };
  if (isTooLarge === true) return force ? { blob: before.blob } : 'too-large';
  const ours = await current.read(source, mostMergeBytes);
  if (ours === undefined) return force ? { blob: before.blob } : 'too-large';
  if (blobId(ours) !== now.blob) {
    throw refusal('restore', pathText(toWorkspacePath(source)), 'changed', 'it is being written to');
  }
  if (content === 'now') return { blob: contents.add(ours) };
  const sides = { base: await contents.read(after.blob), ours, theirs: await contents.read(before.blob) };
  const merged = await mergeBytes({ ...sides, preferTheirs: force });
  if (typeof merged !== 'string') return { blob: contents.add(merged) };
  if (force) return { blob: before.blob };
  return merged === 'binary' ? 'binary' : 'content';
}

/** The reason why a file cannot be created at its path. */
function obstacleOf(
  { path, from, to }: RestoreStep,
  steps: ReadonlyMap<BytePath, RestoreStep>,
  current: DiskState,
): ConflictReason | undefined {
  if (to.kind === 'absent') return undefined;
  const goes = (other: BytePath): boolean => steps.get(other)?.to.kind === 'absent';
  if (from.kind === 'blocked') return goes(from.by) ? undefined : 'blocked';
  if (from.kind !== 'folder') return undefined;
  const members = current.members.get(path) ?? [];
  return members.every((member) => member.isFolder || goes(member.path)) ? undefined : 'not-empty';
}

function madeFolders(steps: readonly RestoreStep[], options: PlanOptions): readonly BytePath[] {
  const { changes, addedFolders = [], folderBefore } = options;
  const before = new Set(
    changes.flatMap(({ path, oldPath, before: entry }) =>
      entry === undefined ? [] : foldersAbove(toCheckedPath(oldPath ?? path)),
    ),
  );
  const wasThere = (folder: BytePath): boolean =>
    folderBefore === undefined ? before.has(folder) : folderBefore(toWorkspacePath(folder)) !== undefined;
  const left = steps.filter(({ from, to }) => to.kind === 'absent' && from.kind !== 'absent');
  const needed = new Set(steps.flatMap(({ path, to }) => (to.kind === 'absent' ? [] : foldersAbove(path))));
  const folders = new Set([
    ...left.flatMap(({ path }) => foldersAbove(path)),
    ...addedFolders.map(toCheckedPath),
  ]);
  return deepestFirst([...folders].filter((folder) => !needed.has(folder) && !wasThere(folder)));
}

function emptyFolders({ removedFolders = [] }: PlanOptions): readonly BytePath[] {
  const folders = removedFolders.map(toCheckedPath).flatMap((path) => [path, ...foldersAbove(path)]);
  return [...new Set(folders)].toSorted(byPath);
}

function deepestFirst(folders: readonly BytePath[]): readonly BytePath[] {
  return folders.toSorted((left, right) => byPath(right, left));
}

function toWanted(entry: FileEntry | undefined): Wanted {
  if (entry === undefined) return { kind: 'absent' };
  const { permissions, blob } = entry;
  return isLink(entry) ? { kind: 'link', blob } : { kind: 'file', permissions, blob };
}

function actionOf(from: Found, to: Wanted, before: FileEntry | undefined): RestoredFile['action'] {
  if (to.kind === 'absent') return 'deleted';
  if (from.kind !== 'file' && from.kind !== 'link') return 'created';
  if (to.kind === 'file' && from.kind === 'file' && from.blob === to.blob) return 'mode';
  return to.blob === before?.blob ? 'restored' : 'merged';
}

function nowAt(current: DiskState, path: BytePath): Found {
  const now = current.found.get(path);
  if (now === undefined) throw new TypeError('planRestore: current was read for other changes');
  return now;
}

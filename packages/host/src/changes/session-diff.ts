import {
  mergeBytes,
  type Checkpoints,
  type Contents,
  type FileChange,
  type FileEntry,
} from '@parley/workspace/checkpoint';
import type { ChangedPath } from '../event/changes-event.ts';
import type { DiffParams } from '../hub/session-changes.ts';
import type { ChangedTurn, ChangesState, UndoState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';
import { findTurn, isNamed, marksIn } from './choose-undo.ts';
import type { Cover } from './open-cover.ts';
import { checkAvailable, isStored } from './unavailable-turns.ts';

/** A file as the session changed it, from what it was before its first change. */
export interface SessionChange {
  readonly path: ChangedPath;
  readonly oldPath?: ChangedPath;
  readonly before?: FileEntry;
  readonly after?: FileEntry;
  /** Whether tool calls reported a change of this file. */
  readonly isReported: boolean;
  /** Edits by others could not be separated from it: `after` contains them too. */
  readonly isMixed?: true;
}

/** What one turn, one undo or one revert did to a file. */
interface Step extends Pick<FileChange, 'path' | 'oldPath' | 'before' | 'after'> {
  readonly by: 'reported' | 'unreported' | 'undo';
}

/** Which steps a fold contains. */
interface FoldOptions {
  /** Leaves out what no tool call reported. @default false */
  readonly reportedOnly?: boolean;
}

/**
 * The changes of a session, without those that were undone or reverted: its turns in sequence, without edits made by
 * others in between. Edits that cannot be separated are included. Turns whose checkpoints are not stored here are left out.
 */
export async function sessionDiff(
  state: ChangesState,
  checkpoints: Checkpoints,
  contents: Contents,
): Promise<readonly SessionChange[]> {
  const files = await foldSession(state, { checkpoints, contents });
  return [...files.values()].filter((file) => !isUnchanged(file)).toSorted(byPath);
}

/** Each file that the session changed, by its path, also one to which later turns gave its first content again. */
export async function foldSession(
  { turns, undos }: ChangesState,
  { checkpoints, contents }: { readonly checkpoints: Checkpoints; readonly contents: Contents },
  { reportedOnly = false }: FoldOptions = {},
): Promise<ReadonlyMap<string, SessionChange>> {
  const files = new Map<string, SessionChange>();
  const stored = await checkpoints.stored();
  const inOrder = [...turns, ...undos]
    .filter((each) => isStored(each, stored))
    .toSorted((left, right) => left.seq - right.seq);
  for (const each of inOrder) {
    const steps =
      'files' in each ? await stepsOfTurn(each, checkpoints) : await stepsOfUndo(each, checkpoints);
    for (const step of steps) {
      const isLeftOut =
        (reportedOnly && step.by === 'unreported') ||
        // Undos and reverts only take back what is there.
        (step.by === 'undo' && !files.has(pathKey(step.oldPath ?? step.path)));
      if (!isLeftOut) await take(files, step, contents);
    }
  }
  return files;
}

/** What a diff is of: the session or one turn, all files or some. */
export async function chosenChanges(
  { turn, paths }: Pick<DiffParams, 'turn' | 'paths'>,
  {
    cover,
    state,
    contents,
  }: { readonly cover: Cover; readonly state: ChangesState; readonly contents: Contents },
): Promise<readonly (SessionChange | FileChange)[]> {
  const { checkpoints } = cover;
  const all =
    turn === undefined
      ? await sessionDiff(state, checkpoints, contents)
      : await changesOfTurn(findTurn(turn, state, 'show'), cover);
  return paths === undefined ? all : all.filter((change) => isNamed(change, paths));
}

async function changesOfTurn(turn: ChangedTurn | undefined, cover: Cover): Promise<readonly FileChange[]> {
  if (turn === undefined) return [];
  await checkAvailable(turn, cover);
  return changesOf(turn, cover.checkpoints);
}

/** What a turn changed and checkpoints have both sides of. */
export async function changesOf(
  turn: Pick<ChangedTurn, 'before' | 'after'>,
  checkpoints: Checkpoints,
): Promise<readonly FileChange[]> {
  return (await undoableChanges(turn, checkpoints)).filter(({ isTooLarge }) => isTooLarge !== true);
}

/** What a turn changed, but for files that may have been there before and were not covered. */
export async function undoableChanges(
  { before, after }: Pick<ChangedTurn, 'before' | 'after'>,
  checkpoints: Checkpoints,
): Promise<readonly FileChange[]> {
  const changes = await checkpoints.compare(before, after);
  return changes.filter(({ wasUncovered }) => wasUncovered !== true);
}

async function stepsOfTurn(turn: ChangedTurn, checkpoints: Checkpoints): Promise<readonly Step[]> {
  const markOf = marksIn(turn);
  return (await changesOf(turn, checkpoints)).map((change) => ({
    ...change,
    by: markOf(change).isReported ? 'reported' : 'unreported',
  }));
}

/** An undo or a revert removes lines, regardless of whose change they are. */
async function stepsOfUndo(undo: UndoState, checkpoints: Checkpoints): Promise<readonly Step[]> {
  return (await writtenBy(undo, checkpoints)).map((change) => ({ ...change, by: 'undo' }));
}

/** The files that an undo or a revert wrote. */
export async function writtenBy(
  { before, after, written }: UndoState,
  checkpoints: Checkpoints,
): Promise<readonly FileChange[]> {
  const changes = await checkpoints.compare(before, after);
  if (written === undefined) return changes;
  const paths = new Set(written.map(pathKey));
  return changes.filter(
    ({ path, oldPath }) => paths.has(pathKey(path)) || (oldPath !== undefined && paths.has(pathKey(oldPath))),
  );
}

async function take(files: Map<string, SessionChange>, step: Step, contents: Contents): Promise<void> {
  const { path, oldPath, before, after, by } = step;
  const isTaken = oldPath !== undefined && files.has(pathKey(path));
  if (isTaken) {
    // The new name belonged to another file, which no longer exists: two changes, not a rename.
    await take(files, { path: oldPath, by, ...(before !== undefined && { before }) }, contents);
    await take(files, { path, by, ...(after !== undefined && { after }) }, contents);
    return;
  }
  const isReported = by === 'reported';
  const known = files.get(pathKey(oldPath ?? path));
  if (known === undefined) {
    files.set(pathKey(path), {
      path,
      ...(oldPath !== undefined && { oldPath }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      isReported,
    });
    return;
  }
  files.delete(pathKey(known.path));
  const merged = await mergeEntry({ base: before, ours: known.after, theirs: after }, contents);
  const entry = merged === 'mixed' ? after : merged;
  const origin = known.oldPath ?? (known.before === undefined ? undefined : known.path);
  const isRenamed = origin !== undefined && pathKey(origin) !== pathKey(path);
  const isTakenBack = by === 'undo' && !isRenamed && isSameEntry(known.before, entry);
  if (isTakenBack || (known.before === undefined && entry === undefined)) return;
  const isMixed = merged === 'mixed' || (known.isMixed === true && before !== undefined);
  files.set(pathKey(path), {
    path,
    ...(isRenamed && { oldPath: origin }),
    ...(known.before !== undefined && { before: known.before }),
    ...(entry !== undefined && { after: entry }),
    isReported: known.isReported || isReported,
    ...(isMixed && entry !== undefined && { isMixed }),
  });
}

interface EntrySides {
  readonly base: FileEntry | undefined;
  readonly ours: FileEntry | undefined;
  readonly theirs: FileEntry | undefined;
}

/**
 * Applies one more change to the session's version of the file, without the changes that others made in between.
 * `mixed`: the two cannot be separated.
 */
async function mergeEntry(
  { base, ours, theirs }: EntrySides,
  contents: Contents,
): Promise<FileEntry | 'mixed' | undefined> {
  // A deleted file, and one that was created anew, contain nothing of others.
  if (theirs === undefined || base === undefined) return theirs;
  if (ours === undefined) return 'mixed';
  const { mode, permissions } =
    theirs.mode === base.mode && theirs.permissions === base.permissions ? ours : theirs;
  if ([base, ours, theirs].some((side) => side.mode === '120000')) {
    return isSameEntry(ours, base) || isSameEntry(ours, theirs) ? theirs : 'mixed';
  }
  if (ours.blob === base.blob) return { mode, permissions, blob: theirs.blob };
  if (theirs.blob === base.blob) return { mode, permissions, blob: ours.blob };
  const [baseBytes, oursBytes, theirsBytes] = await Promise.all(
    [base, ours, theirs].map(({ blob }) => contents.read(blob)),
  );
  if (baseBytes === undefined || oursBytes === undefined || theirsBytes === undefined) return 'mixed';
  const merged = await mergeBytes({ base: baseBytes, ours: oursBytes, theirs: theirsBytes });
  return typeof merged === 'string' ? 'mixed' : { mode, permissions, blob: contents.add(merged) };
}

/** Whether a file is the same as before the session. */
export function isUnchanged({ oldPath, before, after }: SessionChange): boolean {
  return oldPath === undefined && isSameEntry(before, after);
}

/** Whether content, type and permissions are the same. */
export function isSameEntry(left: FileEntry | undefined, right: FileEntry | undefined): boolean {
  return left?.blob === right?.blob && left?.mode === right?.mode && left?.permissions === right?.permissions;
}

/** The order of a list of changes. */
export function byPath(left: SessionChange, right: SessionChange): number {
  const [first, second] = [pathKey(left.path), pathKey(right.path)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

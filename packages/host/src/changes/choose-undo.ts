import type { FileChange } from '@parley/workspace/checkpoint';
import type { ChangedPath } from '../event/changes-event.ts';
import { HostError } from '../host-error.ts';
import type { CommitResult, RestoreResult, UndoParams } from '../hub/session-changes.ts';
import type { ChangedTurn, ChangesState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';

/** Which changes are undone. */
export type UndoChoice = Pick<UndoParams, 'turn' | 'paths' | 'unreported'>;

/** What was already done with one change of a turn. */
export interface ChangeMark {
  readonly isReported: boolean;
  readonly isUndone: boolean;
}

/**
 * Chooses the turn to undo: the given one, else the last one with something left to undo.
 *
 * @throws {HostError} `nothing-to-undo`
 */
export function chooseTurn(state: ChangesState, { turn, paths, unreported }: UndoChoice): ChangedTurn {
  if (turn !== undefined) {
    const named = findTurn(turn, state, 'undo');
    if (named === undefined) throw nothingToUndo(`turn ${String(turn)} changed nothing`);
    return named;
  }
  const { turns } = state;
  const last = turns.findLast((each) => hasLeft(each, paths, unreported === true));
  if (last !== undefined) return last;
  const skipped = paths === undefined ? turns.findLast(hasOnlyUnreported) : undefined;
  if (skipped !== undefined) throw nothingLeft(skipped.turn, unreportedOf(skipped));
  throw nothingToUndo(
    paths === undefined
      ? 'no turn of the session has changes that can be undone'
      : 'no turn of the session has changes of these paths that can be undone',
  );
}

/**
 * Finds a turn by its number; undefined if it changed nothing.
 *
 * @throws {HostError} `nothing-to-undo`: the turn does not exist.
 */
export function findTurn(
  turn: number,
  { turns, turnCount }: ChangesState,
  purpose: 'undo' | 'show',
): ChangedTurn | undefined {
  if (turn <= turnCount && turn >= 1) return turns.find((each) => each.turn === turn);
  const reason = `the session has no turn ${String(turn)}; its last one is ${String(turnCount)}`;
  throw new HostError('nothing-to-undo', `nothing to ${purpose}: ${reason}`);
}

/** Whether a change is undone with its turn: it was not yet, and a tool call accounts for it, or a user names it. */
export function isChosen(
  change: FileChange,
  { isReported, isUndone }: ChangeMark,
  { paths, unreported }: UndoChoice,
): boolean {
  if (isUndone) return false;
  if (paths !== undefined) return isNamed(change, paths);
  return isReported || unreported === true;
}

/** Returns a function that looks up the marks of a change in the session's state. */
export function marksIn({ files, more }: ChangedTurn): (change: FileChange) => ChangeMark {
  const listed = new Map(files.map((file) => [pathKey(file.path), file]));
  return ({ path }) => {
    const known = listed.get(pathKey(path)) ?? more;
    return { isReported: known?.reported === true, isUndone: known?.undone === true };
  };
}

/** Whether the paths contain the path of a change, or a folder above it. */
export function isNamed(
  { path, oldPath }: { readonly path: ChangedPath; readonly oldPath?: ChangedPath },
  paths: readonly ChangedPath[],
): boolean {
  return paths.some(
    (named) => namesPath(named, path) || (oldPath !== undefined && namesPath(named, oldPath)),
  );
}

/** The error that says why there is nothing to undo. */
export function nothingToUndo(reason: string): HostError {
  return new HostError('nothing-to-undo', `nothing to undo: ${reason}`);
}

/** The error for a turn of which nothing was chosen: by its number, or by paths. */
export function nothingChosen(
  turn: number,
  {
    changes,
    paths,
    unreported,
  }: {
    readonly changes: readonly FileChange[];
    readonly paths: UndoChoice['paths'];
    readonly unreported: readonly ChangedPath[];
  },
): HostError {
  if (paths === undefined) return nothingLeft(turn, unreported);
  const isChanged = changes.some((change) => isNamed(change, paths));
  return isChanged
    ? nothingLeft(turn, [])
    : nothingToUndo(`turn ${String(turn)} changed none of these paths`);
}

/** The error for a turn of which nothing is left to undo, but perhaps changes that no tool call reported. */
function nothingLeft(turn: number, unreported: readonly ChangedPath[]): HostError {
  if (unreported.length === 0) {
    return nothingToUndo(`these changes of turn ${String(turn)} are undone already`);
  }
  const [first] = unreported;
  const name = typeof first === 'string' ? JSON.stringify(first) : 'a file';
  const which = unreported.length === 1 ? name : `${String(unreported.length)} files, ${name} first`;
  return nothingToUndo(
    `turn ${String(turn)} changed ${which}, outside of its tool calls; name them, or pass --unreported`,
  );
}

/** The error for a session of which nothing is left to commit. */
export function nothingToCommit({
  unreported,
  omitted,
  unavailable = [],
}: Pick<CommitResult, 'unreported' | 'omitted' | 'unavailable'>): HostError {
  const reasons = [
    'none of the changes of the session are left',
    ...(unreported.length === 0 ? [] : [`${filesText(unreported.length)} changed outside of its tool calls`]),
    ...(omitted.length === 0 ? [] : [`not covered: ${filesText(omitted.length)}`]),
    ...unavailable.map(({ turn }) => `the checkpoints of turn ${String(turn)} are not stored here`),
  ];
  return new HostError('nothing-to-undo', `nothing to commit: ${reasons.join('; ')}`);
}

function filesText(count: number): string {
  return count === 1 ? '1 file' : `${String(count)} files`;
}

/** The turns that an undo without a turn passed over, because no tool call reported their changes. */
export function skippedTurns(
  { turn, paths, unreported }: UndoChoice,
  { turns }: ChangesState,
  chosen: ChangedTurn,
): Pick<RestoreResult, 'skipped'> {
  if (turn !== undefined || paths !== undefined || unreported === true) return {};
  const skipped = turns
    .filter((each) => each.turn > chosen.turn && hasOnlyUnreported(each))
    .map((each) => ({ turn: each.turn, unreported: unreportedOf(each) }));
  return skipped.length === 0 ? {} : { skipped };
}

function hasOnlyUnreported(turn: ChangedTurn): boolean {
  const { files, more } = turn;
  return (
    more?.reported !== true &&
    !files.some(({ reported }) => reported) &&
    (files.some(({ undone }) => undone !== true) || isLeft(more))
  );
}

function unreportedOf({ files }: ChangedTurn): readonly ChangedPath[] {
  return files.filter(({ reported, undone }) => !reported && undone !== true).map(({ path }) => path);
}

/** Whether a turn still has changes to undo. */
function hasLeft({ files, more }: ChangedTurn, paths: UndoChoice['paths'], unreported: boolean): boolean {
  const left = files.filter(({ undone }) => undone !== true);
  if (paths !== undefined) return left.some((file) => isNamed(file, paths)) || isLeft(more);
  if (unreported) return left.length > 0 || isLeft(more);
  return left.some(({ reported }) => reported) || (more?.reported === true && isLeft(more));
}

function isLeft(more: ChangedTurn['more']): boolean {
  return more !== undefined && more.undone !== true;
}

/** Whether a path is the one that is named, or in the folder that is named. */
function namesPath(named: ChangedPath, path: ChangedPath): boolean {
  const name = bytesOf(named);
  const other = bytesOf(path);
  const folder = name.endsWith('/') ? name : `${name}/`;
  return name === '' || name === '.' || other === name || other.startsWith(folder);
}

/** One character for each byte, to compare names that are not text too. */
function bytesOf(path: ChangedPath): string {
  const bytes = typeof path === 'string' ? Buffer.from(path) : Buffer.from(path.base64, 'base64');
  return bytes.toString('latin1');
}

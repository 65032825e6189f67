import type {
  ChangedPath,
  ChangesEvent,
  ChangesRedoneEvent,
  ChangesUndoneEvent,
  HunksRevertedEvent,
} from '../event/changes-event.ts';
import type { EventStamp, LoggedEvent } from '../event/logged-event.ts';
import { noChanges, type ChangedTurn, type ChangesState, type UndoState } from './changes-state.ts';

/** The changes after one more event. */
export function reduceChanges(state: ChangesState, event: LoggedEvent): ChangesState {
  switch (event.type) {
    case 'turn-start':
      return { ...state, turnCount: state.turnCount + 1, unannounced: [] };
    case 'changes':
      return withTurn(state, event, event);
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
      if (state.operations.includes(event.id)) return state;
      return reduceOperation({ ...state, operations: [...state.operations, event.id] }, event);
    default:
      return state;
  }
}

/** Reduces the events of an event log to what turns changed. */
export class ChangesReader {
  #state = noChanges;

  get state(): ChangesState {
    return this.#state;
  }

  /**
   * Applies the next event. The first event of an event log resets the state, because an event log that is opened
   * again is read from its beginning.
   */
  take(event: LoggedEvent): void {
    this.#state = reduceChanges(event.seq === 1 ? noChanges : this.#state, event);
  }
}

/** Whether everything that `undo` would undo of a turn was undone: the reported changes if there are any, else all. */
export function isUndone({ files, more }: ChangedTurn): boolean {
  const all = more === undefined ? files : [...files, more];
  const reported = all.filter((file) => file.reported);
  const counted = reported.length > 0 ? reported : all;
  return counted.length > 0 && counted.every(({ undone }) => undone === true);
}

/** One text for each path, to compare paths by. */
export function pathKey(path: ChangedPath): string {
  return typeof path === 'string' ? path : `\0${path.base64}`;
}

function reduceOperation(
  state: ChangesState,
  event: Extract<LoggedEvent, { readonly id: string }>,
): ChangesState {
  switch (event.type) {
    case 'changes-undone':
      return undo(state, event, event.seq);
    case 'changes-redone':
      return redo(state, event);
    case 'hunks-kept':
      return { ...state, kept: [...new Set([...state.kept, ...event.hunks])] };
    case 'hunks-reverted':
      return announce({ ...state, undos: [...state.undos, toUndo(event, event.seq)] }, event);
    case 'changes-committed':
      return state;
  }
}

function withTurn(state: ChangesState, event: ChangesEvent, { seq, time }: EventStamp): ChangesState {
  const { turn, turnId, startedAt, endedAt = time, before, after, machine, files, more, omitted } = event;
  if (state.turns.some((known) => known.turnId === turnId)) return state;
  const changed: ChangedTurn = {
    seq,
    turn,
    turnId,
    startedAt,
    endedAt,
    before,
    after,
    ...(machine !== undefined && { machine }),
    files,
    ...(more !== undefined && { more }),
    omitted,
  };
  // One that was closed later is before those that began since.
  return { ...state, turns: [...state.turns, changed].toSorted((left, right) => left.turn - right.turn) };
}

function undo(state: ChangesState, event: ChangesUndoneEvent, seq: number): ChangesState {
  const marked = withUndone(state, event, true);
  const undone = {
    ...toUndo(event, seq),
    turn: event.turn,
    ...(event.paths !== undefined && { paths: event.paths }),
  };
  return announce({ ...marked, undos: [...marked.undos, undone] }, event);
}

function redo(state: ChangesState, event: ChangesRedoneEvent): ChangesState {
  const taken = state.undos.find(({ id }) => id === event.undo);
  if (taken === undefined) return state;
  const undos = state.undos.filter((each) => each !== taken);
  return announce({ ...withUndone(state, taken, false), undos }, event);
}

function toUndo(event: ChangesUndoneEvent | HunksRevertedEvent, seq: number): UndoState {
  const { id, before, after, files } = event;
  return {
    id,
    seq,
    before,
    after,
    ...(event.hasMore !== true && { written: files.map(({ path }) => path) }),
  };
}

/** The files of an undo, marked as undone, or not any more. */
function withUndone(
  state: ChangesState,
  { turn, paths }: { readonly turn?: number; readonly paths?: readonly ChangedPath[] },
  undone: boolean,
): ChangesState {
  const named = paths === undefined ? undefined : new Set(paths.map(pathKey));
  const mark = <Marked extends object>({
    undone: _before,
    ...file
  }: Marked & { readonly undone?: true }) => ({
    ...file,
    ...(undone && { undone: true as const }),
  });
  const turns = state.turns.map((each) =>
    each.turn === turn
      ? {
          ...each,
          files: each.files.map((file) =>
            named === undefined || named.has(pathKey(file.path)) ? mark(file) : file,
          ),
          ...(each.more !== undefined && { more: named === undefined ? mark(each.more) : each.more }),
        }
      : each,
  );
  return { ...state, turns };
}

function announce(
  state: ChangesState,
  { files }: { readonly files: readonly { readonly path: ChangedPath }[] },
): ChangesState {
  const known = new Set(state.unannounced.map(pathKey));
  const more = files.map(({ path }) => path).filter((path) => !known.has(pathKey(path)));
  return { ...state, unannounced: [...state.unannounced, ...more] };
}

import { emptyTable } from '../empty-table.ts';
import { at, emptyList, push, values } from '../list.ts';
import type { Replay, SessionState } from '../session-state.ts';
import { get, set } from '../table.ts';
import { placeOf, replaceItem, withoutSpeaker, withProgress } from './add-item.ts';
import { pieceText, textOf } from './blocks.ts';
import type { Chunk, Item, MessageItem } from './item.ts';
import { messagePlace, withMessage, withMessageId, withMore } from './message.ts';
import { isFinished } from './tool-call.ts';

/** Maximum number of items to compare before a replayed one counts as new. */
const lookahead = 256;

/** The state at the start of a history replay. Known items stay, and are not shown twice. */
export function beginReplay(state: SessionState): SessionState {
  const replay = { cursor: 0, end: state.items.length, replayed: emptyTable, held: emptyList };
  return withProgress(withoutSpeaker(state), { replay });
}

/** The state when the history was replayed. */
export function endReplay(state: SessionState): SessionState {
  if (state.progress.replay === undefined) return state;
  const shown = release(state, state.progress.replay);
  const { replay: _over, ...progress } = shown.progress;
  return withoutSpeaker({ ...shown, progress });
}

/**
 * The state after a replayed chunk. A message is recognized by its id, else by its content: it is the next known
 * message of the same role that starts like it. Unknown messages are added after the known ones, except an unknown
 * prompt right before a known item: agents replay text that they sent to their model, which no user typed.
 */
export function withReplayedChunk(state: SessionState, replay: Replay, chunk: Chunk): SessionState {
  const step: ReplayStep = { state, replay, chunk, piece: pieceText(chunk.chunk.content) };
  const index = messageBeingReplayed(step) ?? findAhead(step, step.piece) ?? findTorn(step);
  if (index !== undefined) return continueMessage(step, index);
  return chunk.role === 'user' && chunk.chunk.messageId === undefined ? hold(step) : replayNew(step, '');
}

/** The state after a replayed tool call: the search for the next item continues after it. */
export function passToolCall(state: SessionState, replay: Replay, toolCallId: string): SessionState {
  const { current: _before, ...rest } = replay;
  const index = placeOf(state, 'tool-call', toolCallId);
  if (index === undefined || index >= replay.end) return release(state, rest);
  return withProgress(state, { replay: { ...rest, cursor: cursorBehind(replay, index), held: emptyList } });
}

/** Whether the end of a tool call is already known: its replay is often less complete. */
export function isKnownWhole(state: SessionState, { end }: Replay, toolCallId: string): boolean {
  const index = placeOf(state, 'tool-call', toolCallId);
  const item = index === undefined || index >= end ? undefined : at(state.items, index);
  return item?.kind === 'tool-call' && isFinished(item);
}

/** The state after a replayed item without an id, if it is known. */
export function passKnown(
  state: SessionState,
  replay: Replay,
  isIt: (item: Item) => boolean,
): SessionState | undefined {
  const index = findItem(state, replay, isIt);
  if (index === undefined) return undefined;
  return withProgress(state, { replay: { ...replay, cursor: cursorBehind(replay, index) } });
}

interface ReplayStep {
  readonly state: SessionState;
  readonly replay: Replay;
  readonly chunk: Chunk;
  /** The text of the chunk. */
  readonly piece: string;
}

/** The message that the chunk belongs to. */
function messageBeingReplayed({ state, replay, chunk: { role, chunk } }: ReplayStep): number | undefined {
  const index = chunk.messageId === undefined ? undefined : messagePlace(state, role, chunk.messageId);
  if (index !== undefined || replay.current?.role !== role) return index;
  const item = at(state.items, replay.current.index);
  const isOther = item?.kind === 'message' && chunk.messageId !== undefined && item.messageId !== undefined;
  return isOther ? undefined : replay.current.index;
}

function continueMessage(step: ReplayStep, index: number): SessionState {
  const { state, replay, chunk, piece } = step;
  const item = at(state.items, index);
  if (item?.kind !== 'message') return state;
  const text = textOf(item.blocks);
  const length = get(replay.replayed, String(index)) ?? 0;
  if (length < text.length) {
    if (text.startsWith(piece, length)) return advance(step, index, length + piece.length);
    return replayChanged(step, index, item);
  }
  // All of a known message was replayed: another one begins, or its end was lost here.
  const next = index < replay.end && chunk.chunk.messageId === undefined ? findAhead(step, piece) : undefined;
  if (next !== undefined) return advance(step, next, piece.length);
  return advance({ ...step, state: withMore(state, index, chunk) }, index, length + piece.length);
}

/** Handles a replayed message that differs from the known one after its start. */
function replayChanged(step: ReplayStep, index: number, item: MessageItem): SessionState {
  const { state, replay, chunk, piece } = step;
  const text = textOf(item.blocks);
  const length = get(replay.replayed, String(index)) ?? 0;
  const isNamed = chunk.chunk.messageId !== undefined && chunk.chunk.messageId === item.messageId;
  // The agent says by the id that it is this one; or only the end of it was lost here.
  if (isNamed || (lastOfRole(step) === index && piece.startsWith(text.slice(length)))) {
    const kept = length === 0 ? [] : [{ type: 'text', text: text.slice(0, length) } as const];
    const shortened = replaceItem(state, index, { ...item, blocks: kept });
    return advance({ ...step, state: withMore(shortened, index, chunk) }, index, length + piece.length);
  }
  const begun = text.slice(0, length);
  const next = findAhead(step, begun + piece);
  return next === undefined ? replayNew(step, begun) : advance(step, next, begun.length + piece.length);
}

/** Holds back an unknown message of the user until the next item is replayed. */
function hold({ state, replay, chunk }: ReplayStep): SessionState {
  const { current: _before, ...rest } = replay;
  return withProgress(state, { replay: { ...rest, held: push(replay.held, chunk) } });
}

/** The state in which what waited is shown. */
function release(state: SessionState, replay: Replay): SessionState {
  const index = state.items.length;
  let shown = state;
  for (const chunk of values(replay.held)) {
    shown = shown === state ? withMessage(state, chunk) : withMore(shown, index, chunk);
  }
  return withProgress(shown, { replay: { ...replay, held: emptyList } });
}

/** Adds an unknown message, including text that was first taken for the start of a known one. */
function replayNew(step: ReplayStep, begun: string): SessionState {
  const { chunk, piece } = step;
  const state = release(step.state, step.replay);
  const index = state.items.length;
  const content = { type: 'text', text: begun } as const;
  const shown =
    begun === ''
      ? withMessage(state, chunk)
      : withMore(withMessage(state, { ...chunk, chunk: { ...chunk.chunk, content } }), index, chunk);
  const replay = { ...step.replay, held: emptyList };
  return advance({ ...step, replay, state: shown }, index, begun.length + piece.length);
}

/** The state in which so much of a message was replayed. */
function advance({ state, replay, chunk }: ReplayStep, index: number, length: number): SessionState {
  const next: Replay = {
    ...replay,
    cursor: cursorBehind(replay, index),
    held: emptyList,
    current: { index, role: chunk.role },
    replayed: set(replay.replayed, String(index), length),
  };
  return withMessageId(withProgress(state, { replay: next }), index, chunk);
}

function cursorBehind({ cursor, end }: Replay, index: number): number {
  return index < end ? Math.max(cursor, index + 1) : cursor;
}

function findAhead({ state, replay, chunk: { role } }: ReplayStep, text: string): number | undefined {
  const isIt = (item: Item): boolean =>
    item.kind === 'message' && item.role === role && textOf(item.blocks).startsWith(text);
  return findItem(state, replay, isIt);
}

/** The last known message of the agent's may lack its end: the process that stored it was ended in the middle. */
function findTorn(step: ReplayStep): number | undefined {
  const index = lastOfRole(step);
  const item = index === undefined ? undefined : at(step.state.items, index);
  if (item?.kind !== 'message') return undefined;
  const text = textOf(item.blocks);
  return text !== '' && step.piece.startsWith(text) ? index : undefined;
}

/** The last known message of that role that was not replayed yet. */
function lastOfRole({
  state,
  replay: { cursor, end, current },
  chunk: { role },
}: ReplayStep): number | undefined {
  if (role === 'user') return undefined;
  const first = Math.max(current?.index ?? cursor, end - lookahead);
  for (let index = end - 1; index >= first; index -= 1) {
    const item = at(state.items, index);
    if (item?.kind === 'message' && item.role === role) return index;
  }
  return undefined;
}

function findItem(
  state: SessionState,
  { cursor, end }: Replay,
  isIt: (item: Item) => boolean,
): number | undefined {
  for (let index = cursor; index < Math.min(end, cursor + lookahead); index += 1) {
    const item = at(state.items, index);
    if (item !== undefined && isIt(item)) return index;
  }
  return undefined;
}

import { placeOf, replaceItem, withoutSpeaker, withProgress } from './add-item.ts';
import { pieceText, textOf } from './blocks.ts';
import type { Chunk, Item, MessageItem } from './item.ts';
import { at, emptyList, push, values } from './list.ts';
import { messagePlace, withMessage, withMessageId, withMore } from './message.ts';
import type { Replay, SessionState } from './session-state.ts';
import { emptyTable, get, set } from './table.ts';
import { isFinished } from './tool-call.ts';

/** How many items are compared before something told again counts as new. */
const lookahead = 256;

/** The state when a history begins to be told again. What is known already stays, and is not shown a second time. */
export function beginReplay(state: SessionState): SessionState {
  const replay = { cursor: 0, end: state.items.length, told: emptyTable, held: emptyList };
  return withProgress(withoutSpeaker(state), { replay });
}

/** The state when the history has been told. */
export function endReplay(state: SessionState): SessionState {
  if (state.progress.replay === undefined) return state;
  const shown = release(state, state.progress.replay);
  const { replay: _over, ...progress } = shown.progress;
  return withoutSpeaker({ ...shown, progress });
}

/**
 * The state after a chunk of a history that is told again. A message is known by its id, else by what it says: then it is
 * the next known one of the same role that begins like it. What is not known is shown behind what is, but for what somebody
 * is said to have typed right before something known: nobody did, agents tell so what they gave their model.
 */
export function withToldChunk(state: SessionState, replay: Replay, chunk: Chunk): SessionState {
  const telling: Telling = { state, replay, chunk, piece: pieceText(chunk.chunk.content) };
  const index = messageBeingTold(telling) ?? findAhead(telling, telling.piece) ?? findTorn(telling);
  if (index !== undefined) return tellOn(telling, index);
  return chunk.role === 'user' && chunk.chunk.messageId === undefined ? hold(telling) : tellNew(telling, '');
}

/** The state when a tool call is told again: what comes next is looked for behind it. */
export function passToolCall(state: SessionState, replay: Replay, toolCallId: string): SessionState {
  const { telling: _before, ...rest } = replay;
  const index = placeOf(state, 'tool-call', toolCallId);
  if (index === undefined || index >= replay.end) return release(state, rest);
  return withProgress(state, { replay: { ...rest, cursor: cursorBehind(replay, index), held: emptyList } });
}

/** Whether the end of a tool call was known before: what is told of it later is often less. */
export function isKnownWhole(state: SessionState, { end }: Replay, toolCallId: string): boolean {
  const index = placeOf(state, 'tool-call', toolCallId);
  const item = index === undefined || index >= end ? undefined : at(state.items, index);
  return item?.kind === 'tool-call' && isFinished(item);
}

/** The state after something without an id is told again, if it is among what is known. */
export function passKnown(
  state: SessionState,
  replay: Replay,
  isIt: (item: Item) => boolean,
): SessionState | undefined {
  const index = findItem(state, replay, isIt);
  if (index === undefined) return undefined;
  return withProgress(state, { replay: { ...replay, cursor: cursorBehind(replay, index) } });
}

interface Telling {
  readonly state: SessionState;
  readonly replay: Replay;
  readonly chunk: Chunk;
  /** What the chunk says. */
  readonly piece: string;
}

/** The message that the chunk says it belongs to, or goes on with. */
function messageBeingTold({ state, replay, chunk: { role, chunk } }: Telling): number | undefined {
  const index = chunk.messageId === undefined ? undefined : messagePlace(state, role, chunk.messageId);
  if (index !== undefined || replay.telling?.role !== role) return index;
  const item = at(state.items, replay.telling.index);
  const isOther = item?.kind === 'message' && chunk.messageId !== undefined && item.messageId !== undefined;
  return isOther ? undefined : replay.telling.index;
}

function tellOn(telling: Telling, index: number): SessionState {
  const { state, replay, chunk, piece } = telling;
  const item = at(state.items, index);
  if (item?.kind !== 'message') return state;
  const text = textOf(item.blocks);
  const length = get(replay.told, String(index)) ?? 0;
  if (length < text.length) {
    if (text.startsWith(piece, length)) return told(telling, index, length + piece.length);
    return tellOther(telling, index, item);
  }
  // All of a known message was told: another one begins, or its end was lost here.
  const next =
    index < replay.end && chunk.chunk.messageId === undefined ? findAhead(telling, piece) : undefined;
  if (next !== undefined) return told(telling, next, piece.length);
  return told({ ...telling, state: withMore(state, index, chunk) }, index, length + piece.length);
}

/** In the middle of a message it is told otherwise than it is known. */
function tellOther(telling: Telling, index: number, item: MessageItem): SessionState {
  const { state, replay, chunk, piece } = telling;
  const text = textOf(item.blocks);
  const length = get(replay.told, String(index)) ?? 0;
  const isNamed = chunk.chunk.messageId !== undefined && chunk.chunk.messageId === item.messageId;
  // The agent says by the id that it is this one; or only the end of it was lost here.
  if (isNamed || (lastOfRole(telling) === index && piece.startsWith(text.slice(length)))) {
    const kept = length === 0 ? [] : [{ type: 'text', text: text.slice(0, length) } as const];
    const shortened = replaceItem(state, index, { ...item, blocks: kept });
    return told({ ...telling, state: withMore(shortened, index, chunk) }, index, length + piece.length);
  }
  const begun = text.slice(0, length);
  const next = findAhead(telling, begun + piece);
  return next === undefined ? tellNew(telling, begun) : told(telling, next, begun.length + piece.length);
}

/** A message of the person's that is not known waits for what comes behind it. */
function hold({ state, replay, chunk }: Telling): SessionState {
  const { telling: _before, ...rest } = replay;
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

/** A message that is not known, with what was taken for the beginning of another one. */
function tellNew(telling: Telling, begun: string): SessionState {
  const { chunk, piece } = telling;
  const state = release(telling.state, telling.replay);
  const index = state.items.length;
  const content = { type: 'text', text: begun } as const;
  const shown =
    begun === ''
      ? withMessage(state, chunk)
      : withMore(withMessage(state, { ...chunk, chunk: { ...chunk.chunk, content } }), index, chunk);
  const replay = { ...telling.replay, held: emptyList };
  return told({ ...telling, replay, state: shown }, index, begun.length + piece.length);
}

/** The state in which so much of a message has been told. */
function told({ state, replay, chunk }: Telling, index: number, length: number): SessionState {
  const next: Replay = {
    ...replay,
    cursor: cursorBehind(replay, index),
    held: emptyList,
    telling: { index, role: chunk.role },
    told: set(replay.told, String(index), length),
  };
  return withMessageId(withProgress(state, { replay: next }), index, chunk);
}

function cursorBehind({ cursor, end }: Replay, index: number): number {
  return index < end ? Math.max(cursor, index + 1) : cursor;
}

function findAhead({ state, replay, chunk: { role } }: Telling, text: string): number | undefined {
  const isIt = (item: Item): boolean =>
    item.kind === 'message' && item.role === role && textOf(item.blocks).startsWith(text);
  return findItem(state, replay, isIt);
}

/** The last known message of the agent's may lack its end: whoever kept it was ended in the middle. */
function findTorn(telling: Telling): number | undefined {
  const index = lastOfRole(telling);
  const item = index === undefined ? undefined : at(telling.state.items, index);
  if (item?.kind !== 'message') return undefined;
  const text = textOf(item.blocks);
  return text !== '' && telling.piece.startsWith(text) ? index : undefined;
}

/** The last known message of that role which has not been told; prompts are known whole. */
function lastOfRole({
  state,
  replay: { cursor, end, telling },
  chunk: { role },
}: Telling): number | undefined {
  if (role === 'user') return undefined;
  const first = Math.max(telling?.index ?? cursor, end - lookahead);
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

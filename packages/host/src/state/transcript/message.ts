import { at } from '../list.ts';
import type { SessionState } from '../session-state.ts';
import { addItem, baseOf, placeOf, replaceItem, withPlace, withProgress } from './add-item.ts';
import { pieceText, textOf, withPiece, type Blocks } from './blocks.ts';
import type { Chunk, MessageItem, MessageRole } from './item.ts';

/**
 * The state after a chunk. ACP v1: chunks with the same id belong together; without ids, those of one role that follow
 * each other do.
 */
export function withChunk(state: SessionState, chunk: Chunk): SessionState {
  const echoed = chunk.role === 'user' ? withEcho(state, chunk) : undefined;
  if (echoed !== undefined) return echoed;
  const index = messageToGoOn(state, chunk);
  return index === undefined ? withMessage(state, chunk) : withMore(state, index, chunk);
}

/** The state in which a message continues. */
export function withMore(state: SessionState, index: number, { role, chunk, stamp }: Chunk): SessionState {
  const item = at(state.items, index);
  if (item?.kind !== 'message') return state;
  // The time of a replay is not the time of the message.
  const lastTime = state.progress.replay === undefined ? stamp.time : item.lastTime;
  const grown = replaceItem(state, index, withBlocks(item, withPiece(item, chunk.content), lastTime));
  return speakingAt(grown, index, role);
}

/** Field by field, as there may be many chunks: see `copyState`. */
function withBlocks(
  before: MessageItem,
  { blocks, cutPieces }: Blocks,
  lastTime: number | undefined,
): MessageItem {
  const { kind, seq, time, role, turnId, messageId, steering } = before;
  const item: { -readonly [Name in keyof MessageItem]: MessageItem[Name] } = {
    kind,
    seq,
    time,
    role,
    blocks,
  };
  if (turnId !== undefined) item.turnId = turnId;
  if (messageId !== undefined) item.messageId = messageId;
  if (steering !== undefined) item.steering = steering;
  if (lastTime !== undefined) item.lastTime = lastTime;
  if (cutPieces !== undefined) item.cutPieces = cutPieces;
  return item;
}

/** The state with a new message. */
export function withMessage(state: SessionState, { role, chunk, stamp }: Chunk): SessionState {
  const { messageId, content } = chunk;
  const item: MessageItem = {
    kind: 'message',
    ...baseOf(state, stamp),
    role,
    ...(messageId !== undefined && { messageId }),
    ...withPiece({ blocks: [] }, content),
  };
  const index = state.items.length;
  return speakingAt(
    addItem(state, item, messageId === undefined ? undefined : messageKey(role, messageId)),
    index,
    role,
  );
}

/** Where the message of that role and id is. */
export function messagePlace(state: SessionState, role: MessageRole, messageId: string): number | undefined {
  return placeOf(state, 'message', messageKey(role, messageId));
}

/** The state in which a message is also found by the id of this chunk; its earlier ids stay valid. */
export function withMessageId(
  state: SessionState,
  index: number,
  { role, chunk: { messageId } }: Chunk,
): SessionState {
  const item = at(state.items, index);
  if (messageId === undefined || item?.kind !== 'message') return state;
  if (messagePlace(state, role, messageId) === index) return state;
  const named = item.messageId === undefined ? replaceItem(state, index, { ...item, messageId }) : state;
  return withPlace(named, 'message', messageKey(role, messageId), index);
}

function messageToGoOn(state: SessionState, { role, chunk: { messageId } }: Chunk): number | undefined {
  if (messageId !== undefined) return messagePlace(state, role, messageId);
  const { speaking } = state.progress;
  return speaking?.role === role ? speaking.index : undefined;
}

/** Some agents echo the prompt that they just received. */
function withEcho(state: SessionState, chunk: Chunk): SessionState | undefined {
  const { echo } = state.progress;
  const item = echo === undefined ? undefined : at(state.items, echo.index);
  if (echo === undefined || item?.kind !== 'message') return undefined;
  const piece = pieceText(chunk.chunk.content);
  if (!textOf(item.blocks).startsWith(piece, echo.length)) return undefined;
  const heard = withProgress(state, { echo: { ...echo, length: echo.length + piece.length } });
  return withMessageId(heard, echo.index, chunk);
}

function speakingAt(state: SessionState, index: number, role: MessageRole): SessionState {
  const { speaking } = state.progress;
  if (speaking?.index === index && speaking.role === role) return state;
  return withProgress(state, { speaking: { index, role } });
}

function messageKey(role: MessageRole, messageId: string): string {
  return `${role} ${messageId}`;
}

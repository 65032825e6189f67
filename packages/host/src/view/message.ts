import { addItem, baseOf, placeOf, replaceItem, withPlace, withProgress } from './add-item.ts';
import { pieceText, textOf, withPiece } from './blocks.ts';
import type { Chunk, MessageItem, MessageRole } from './item.ts';
import { at } from './list.ts';
import type { View } from './view.ts';

/**
 * The view after a chunk. ACP v1: chunks with the same id belong together; without ids, those of one role that follow
 * each other do.
 */
export function withChunk(view: View, told: Chunk): View {
  const echoed = told.role === 'user' ? withEcho(view, told) : undefined;
  if (echoed !== undefined) return echoed;
  const index = messageToGoOn(view, told);
  return index === undefined ? withMessage(view, told) : withMore(view, index, told);
}

/** The view in which a message goes on. */
export function withMore(view: View, index: number, { role, chunk, stamp }: Chunk): View {
  const item = at(view.items, index);
  if (item?.kind !== 'message') return view;
  // When it is told again says nothing of when it was said.
  const lastTime = view.progress.replay === undefined ? stamp.time : item.lastTime;
  const grown = replaceItem(view, index, {
    ...item,
    ...withPiece(item, chunk.content),
    ...(lastTime !== undefined && { lastTime }),
  });
  return speakingAt(grown, index, role);
}

/** The view with a new message. */
export function withMessage(view: View, { role, chunk, stamp }: Chunk): View {
  const { messageId, content } = chunk;
  const item: MessageItem = {
    kind: 'message',
    ...baseOf(view, stamp),
    role,
    ...(messageId !== undefined && { messageId }),
    ...withPiece({ blocks: [] }, content),
  };
  const index = view.items.length;
  return speakingAt(
    addItem(view, item, messageId === undefined ? undefined : messageKey(role, messageId)),
    index,
    role,
  );
}

/** Where the message of that role and id is. */
export function messagePlace(view: View, role: MessageRole, messageId: string): number | undefined {
  return placeOf(view, 'message', messageKey(role, messageId));
}

/** The view in which a message is found by the id that it is told with; one that it had before still holds. */
export function withMessageId(view: View, index: number, { role, chunk: { messageId } }: Chunk): View {
  const item = at(view.items, index);
  if (messageId === undefined || item?.kind !== 'message') return view;
  if (messagePlace(view, role, messageId) === index) return view;
  const named = item.messageId === undefined ? replaceItem(view, index, { ...item, messageId }) : view;
  return withPlace(named, 'message', messageKey(role, messageId), index);
}

function messageToGoOn(view: View, { role, chunk: { messageId } }: Chunk): number | undefined {
  if (messageId !== undefined) return messagePlace(view, role, messageId);
  const { speaking } = view.progress;
  return speaking?.role === role ? speaking.index : undefined;
}

/** Some agents tell the prompt again that they were just given. */
function withEcho(view: View, told: Chunk): View | undefined {
  const { echo } = view.progress;
  const item = echo === undefined ? undefined : at(view.items, echo.index);
  if (echo === undefined || item?.kind !== 'message') return undefined;
  const piece = pieceText(told.chunk.content);
  if (!textOf(item.blocks).startsWith(piece, echo.length)) return undefined;
  const heard = withProgress(view, { echo: { ...echo, length: echo.length + piece.length } });
  return withMessageId(heard, echo.index, told);
}

function speakingAt(view: View, index: number, role: MessageRole): View {
  const { speaking } = view.progress;
  if (speaking?.index === index && speaking.role === role) return view;
  return withProgress(view, { speaking: { index, role } });
}

function messageKey(role: MessageRole, messageId: string): string {
  return `${role} ${messageId}`;
}

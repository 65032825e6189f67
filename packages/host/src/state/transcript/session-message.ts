import type { SessionMessageChunkSessionUpdate, SessionMessageSessionUpdate } from '@parley/acp';
import type { EventStamp } from '../../event/logged-event.ts';
import { at } from '../list.ts';
import type { SessionState } from '../session-state.ts';
import { addItem, baseOf, placeOf, replaceItem, withoutSpeaker } from './add-item.ts';
import { withPiece, type Blocks } from './blocks.ts';
import type { SessionMessageItem } from './item.ts';

/** The state after a message between two sessions was said, or changed: absent fields stay, `null` clears. */
export function withSessionMessage(
  state: SessionState,
  { messageId, senderSessionId, recipientSessionId, content }: SessionMessageSessionUpdate,
  stamp: EventStamp,
): SessionState {
  return changeMessage(state, messageId, stamp, (before) => {
    const { sender, recipient, ...item } = before;
    const from = senderSessionId === undefined ? sender : (senderSessionId ?? undefined);
    const to = recipientSessionId === undefined ? recipient : (recipientSessionId ?? undefined);
    return {
      ...item,
      ...(from !== undefined && { sender: from }),
      ...(to !== undefined && { recipient: to }),
      ...(content !== undefined && withPieces(content ?? [])),
    };
  });
}

/** The state after a chunk of a message between two sessions. A replay does not repeat a known message. */
export function withSessionMessageChunk(
  state: SessionState,
  { messageId, content }: SessionMessageChunkSessionUpdate,
  stamp: EventStamp,
  isReplayed: boolean,
): SessionState {
  const index = placeOf(state, 'session-message', messageId);
  const { replay } = state.progress;
  if (isReplayed && index !== undefined && replay !== undefined && index < replay.end) return state;
  return changeMessage(state, messageId, stamp, (item) => ({ ...item, ...withPiece(item, content) }));
}

function withPieces(content: Blocks['blocks']): Blocks {
  return content.reduce<Blocks>(withPiece, { blocks: [] });
}

function changeMessage(
  state: SessionState,
  messageId: string,
  stamp: EventStamp,
  change: (item: SessionMessageItem) => SessionMessageItem,
): SessionState {
  const index = placeOf(state, 'session-message', messageId);
  const item = index === undefined ? undefined : at(state.items, index);
  if (index !== undefined && item?.kind === 'session-message') {
    return replaceItem(state, index, change(item));
  }
  const begun = { kind: 'session-message', ...baseOf(state, stamp), messageId, blocks: [] } as const;
  return addItem(withoutSpeaker(state), change(begun), messageId);
}

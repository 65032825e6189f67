import { Invalid, parseSessionUpdate, type SessionUpdate, type SubagentSessionUpdate } from '@parley/acp';
import { settingsAfter } from '../agent-session/settings/settings.ts';
import type { LoggedUpdate, EventStamp } from '../event/logged-event.ts';
import { withState } from './copy-state.ts';
import { at } from './list.ts';
import type { SessionState } from './session-state.ts';
import { inSubagent, takeSubagent, whileReplaying } from './subagents.ts';
import { withAgentTerminal, withTerminalsMoved } from './terminal.ts';
import { addItem, baseOf, placeOf, replaceItem, withoutSpeaker } from './transcript/add-item.ts';
import { withPiece } from './transcript/blocks.ts';
import type { CompactionItem, Item, MessageRole } from './transcript/item.ts';
import { withChunk } from './transcript/message.ts';
import { isKnownWhole, passKnown, passToolCall, withReplayedChunk } from './transcript/replay.ts';
import { withSessionMessage, withSessionMessageChunk } from './transcript/session-message.ts';
import { withTerminalShown, withToolCall } from './transcript/tool-call.ts';

/** The state after an update of the agent's. What breaks the protocol is shown as something unknown. */
export function reduceUpdate(
  state: SessionState,
  { update, subagent, replay }: LoggedUpdate,
  stamp: EventStamp,
): SessionState {
  const parsed = parseSessionUpdate(update);
  const isReplayed = replay === true;
  if (!(parsed instanceof Invalid) && parsed.sessionUpdate === 'subagent_update') {
    return takeSubagent(state, parsed, stamp, subagent);
  }
  const take = (conversation: SessionState): SessionState =>
    parsed instanceof Invalid
      ? withUnknown(conversation, update, stamp, isReplayed)
      : withUpdate(conversation, parsed, stamp, isReplayed);
  if (subagent === undefined) return take(state);
  return inSubagent(state, subagent, stamp, (conversation) =>
    take(isReplayed ? whileReplaying(conversation) : conversation),
  );
}

function withUpdate(
  state: SessionState,
  update: Exclude<SessionUpdate, SubagentSessionUpdate>,
  stamp: EventStamp,
  isReplayed: boolean,
): SessionState {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return withRole('user', update, state, stamp, isReplayed);
    case 'agent_message_chunk':
      return withRole('agent', update, state, stamp, isReplayed);
    case 'agent_thought_chunk':
      return withRole('thought', update, state, stamp, isReplayed);
    case 'tool_call':
    case 'tool_call_update': {
      const { replay } = state.progress;
      const isReplay = isReplayed && replay !== undefined;
      const passed = isReplay ? passToolCall(state, replay, update.toolCallId) : state;
      if (isReplay && isKnownWhole(state, replay, update.toolCallId)) return passed;
      const moved = withTerminalsMoved(withAgentTerminal(passed, update), update);
      return withToolCall(moved, withTerminalShown(passed, update), stamp);
    }
    case 'plan':
      return withState(state, { plan: update.entries });
    case 'available_commands_update':
      return withState(state, { commands: update.availableCommands });
    case 'current_mode_update':
    case 'config_option_update':
      return withState(state, settingsAfter(state, update));
    case 'session_info_update':
      return state;
    case 'usage_update': {
      const { used, size, cost } = update;
      return withState(state, {
        usage: { ...state.usage, context: { used, size }, ...(cost !== undefined && { cost }) },
      });
    }
    case 'notice': {
      const { sessionUpdate: _kind, ...notice } = update;
      const isSame = (item: Item): boolean =>
        item.kind === 'notice' &&
        item.notice.title === notice.title &&
        item.notice.description === notice.description;
      return (
        skipped(state, isReplayed, isSame) ??
        addItem(state, { kind: 'notice', ...baseOf(state, stamp), notice })
      );
    }
    case 'compaction_update':
      return withCompaction(state, update.compactionId, stamp, (item) => ({
        ...withoutError(item, update.error),
        status: update.status,
        ...(update.summary !== undefined && { summary: update.summary ?? [] }),
      }));
    case 'compaction_summary_chunk':
      return withCompaction(state, update.compactionId, stamp, (item) => ({
        ...item,
        summary: withPiece({ blocks: item.summary }, update.content).blocks,
      }));
    case 'session_message':
      return withSessionMessage(state, update, stamp);
    case 'session_message_chunk':
      return withSessionMessageChunk(state, update, stamp, isReplayed);
    case 'unknown':
      return withUnknown(state, update.raw, stamp, isReplayed);
  }
}

type Chunk = Extract<
  SessionUpdate,
  { readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk' }
>;

function withRole(
  role: MessageRole,
  chunk: Chunk,
  state: SessionState,
  stamp: EventStamp,
  isReplayed: boolean,
): SessionState {
  const { replay } = state.progress;
  if (isReplayed && replay !== undefined) return withReplayedChunk(state, replay, { role, chunk, stamp });
  return withChunk(state, { role, chunk, stamp });
}

function withUnknown(
  state: SessionState,
  raw: unknown,
  stamp: EventStamp,
  isReplayed: boolean,
): SessionState {
  const isSame = (item: Item): boolean =>
    item.kind === 'unknown' && JSON.stringify(item.raw) === JSON.stringify(raw);
  return (
    skipped(state, isReplayed, isSame) ?? addItem(state, { kind: 'unknown', ...baseOf(state, stamp), raw })
  );
}

/** The state when something is replayed that is shown already. */
function skipped(
  state: SessionState,
  isReplayed: boolean,
  isSame: (item: Item) => boolean,
): SessionState | undefined {
  const { replay } = state.progress;
  return isReplayed && replay !== undefined ? passKnown(state, replay, isSame) : undefined;
}

function withCompaction(
  state: SessionState,
  compactionId: string,
  stamp: EventStamp,
  change: (item: CompactionItem) => CompactionItem,
): SessionState {
  const index = placeOf(state, 'compaction', compactionId);
  const item = index === undefined ? undefined : at(state.items, index);
  if (index !== undefined && item?.kind === 'compaction') return replaceItem(state, index, change(item));
  const begun = { kind: 'compaction', compactionId, status: 'in_progress', summary: [] } as const;
  return addItem(withoutSpeaker(state), change({ ...begun, ...baseOf(state, stamp) }), compactionId);
}

function withoutError(item: CompactionItem, error: string | null | undefined): CompactionItem {
  if (error === undefined) return item;
  const { error: _before, ...rest } = item;
  return error === null ? rest : { ...rest, error };
}

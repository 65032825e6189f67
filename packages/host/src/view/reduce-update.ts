import { Invalid, parseSessionUpdate, type SessionUpdate } from '@parley/acp';
import { settingsAfter } from '../agent-session/settings.ts';
import type { LoggedUpdate, EventStamp } from '../event/logged-event.ts';
import { addItem, baseOf, placeOf, replaceItem, withoutSpeaker } from './add-item.ts';
import { withPiece } from './blocks.ts';
import type { CompactionItem, Item, MessageRole } from './item.ts';
import { at } from './list.ts';
import { withChunk } from './message.ts';
import { isKnownWhole, passKnown, passToolCall, withToldChunk } from './replay.ts';
import { withAgentTerminal } from './terminal.ts';
import { withTerminalShown, withToolCall } from './tool-call.ts';
import type { View } from './view.ts';

/** The view after an update of the agent's. What breaks the protocol is shown as something unknown. */
export function reduceUpdate(view: View, { update, replay }: LoggedUpdate, stamp: EventStamp): View {
  const parsed = parseSessionUpdate(update);
  if (parsed instanceof Invalid) return withUnknown(view, update, stamp, replay === true);
  return withUpdate(view, parsed, stamp, replay === true);
}

function withUpdate(view: View, update: SessionUpdate, stamp: EventStamp, isTold: boolean): View {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return withRole('user', update, view, stamp, isTold);
    case 'agent_message_chunk':
      return withRole('agent', update, view, stamp, isTold);
    case 'agent_thought_chunk':
      return withRole('thought', update, view, stamp, isTold);
    case 'tool_call':
    case 'tool_call_update': {
      const { sessionUpdate: _kind, ...call } = update;
      const { replay } = view.progress;
      const isReplay = isTold && replay !== undefined;
      const passed = isReplay ? passToolCall(view, replay, call.toolCallId) : view;
      if (isReplay && isKnownWhole(view, replay, call.toolCallId)) return passed;
      return withToolCall(withAgentTerminal(passed, call), withTerminalShown(passed, call), stamp);
    }
    case 'plan':
      return { ...view, plan: update.entries };
    case 'available_commands_update':
      return { ...view, commands: update.availableCommands };
    case 'current_mode_update':
    case 'config_option_update':
      return { ...view, ...settingsAfter(view, update) };
    case 'session_info_update':
      return withTitle(view, update.title);
    case 'usage_update': {
      const { used, size, cost } = update;
      return {
        ...view,
        usage: { ...view.usage, context: { used, size }, ...(cost !== undefined && { cost }) },
      };
    }
    case 'notice': {
      const { sessionUpdate: _kind, ...notice } = update;
      const isSame = (item: Item): boolean =>
        item.kind === 'notice' &&
        item.notice.title === notice.title &&
        item.notice.description === notice.description;
      return (
        skipped(view, isTold, isSame) ?? addItem(view, { kind: 'notice', ...baseOf(view, stamp), notice })
      );
    }
    case 'compaction_update':
      return withCompaction(view, update.compactionId, stamp, (item) => ({
        ...withoutError(item, update.error),
        status: update.status,
        ...(update.summary !== undefined && { summary: update.summary ?? [] }),
      }));
    case 'compaction_summary_chunk':
      return withCompaction(view, update.compactionId, stamp, (item) => ({
        ...item,
        summary: withPiece({ blocks: item.summary }, update.content).blocks,
      }));
    case 'unknown':
      return withUnknown(view, update.raw, stamp, isTold);
  }
}

type Chunk = Extract<
  SessionUpdate,
  { readonly sessionUpdate: `${string}_message_chunk` | 'agent_thought_chunk' }
>;

function withRole(role: MessageRole, chunk: Chunk, view: View, stamp: EventStamp, isTold: boolean): View {
  const { replay } = view.progress;
  if (isTold && replay !== undefined) return withToldChunk(view, replay, { role, chunk, stamp });
  return withChunk(view, { role, chunk, stamp });
}

function withTitle(view: View, title: string | null | undefined): View {
  if (title === undefined) return view;
  const { title: _before, ...untitled } = view;
  return title === null ? untitled : { ...view, title };
}

function withUnknown(view: View, raw: unknown, stamp: EventStamp, isTold: boolean): View {
  const isSame = (item: Item): boolean =>
    item.kind === 'unknown' && JSON.stringify(item.raw) === JSON.stringify(raw);
  return skipped(view, isTold, isSame) ?? addItem(view, { kind: 'unknown', ...baseOf(view, stamp), raw });
}

/** The view when something is told again that is shown already. */
function skipped(view: View, isTold: boolean, isSame: (item: Item) => boolean): View | undefined {
  const { replay } = view.progress;
  return isTold && replay !== undefined ? passKnown(view, replay, isSame) : undefined;
}

function withCompaction(
  view: View,
  compactionId: string,
  stamp: EventStamp,
  change: (item: CompactionItem) => CompactionItem,
): View {
  const index = placeOf(view, 'compaction', compactionId);
  const item = index === undefined ? undefined : at(view.items, index);
  if (index !== undefined && item?.kind === 'compaction') return replaceItem(view, index, change(item));
  const begun = { kind: 'compaction', compactionId, status: 'in_progress', summary: [] } as const;
  return addItem(withoutSpeaker(view), change({ ...begun, ...baseOf(view, stamp) }), compactionId);
}

function withoutError(item: CompactionItem, error: string | null | undefined): CompactionItem {
  if (error === undefined) return item;
  const { error: _before, ...rest } = item;
  return error === null ? rest : { ...rest, error };
}

import type { ToolCallUpdate } from '@parley/acp';
import type { EventStamp } from '../../event/logged-event.ts';
import { mergeToolCall, withoutTag } from '../../merge-tool-call.ts';
import { isClientCall } from '../../permission/client-call.ts';
import { agentTerminalReport } from '../../services/terminal/agent-terminal.ts';
import { at } from '../list.ts';
import type { SessionState } from '../session-state.ts';
import { addItem, baseOf, placeOf, replaceItem, withoutSpeaker } from './add-item.ts';
import type { ToolCallItem } from './item.ts';

/** The state after something was said about a tool call; it need not have been announced. */
export function withToolCall(state: SessionState, call: ToolCallUpdate, stamp: EventStamp): SessionState {
  const index = placeOf(state, 'tool-call', call.toolCallId);
  if (index === undefined) {
    const { toolCallId } = call;
    const item = { kind: 'tool-call', ...baseOf(state, stamp), toolCallId, call: withoutTag(call) } as const;
    return addItem(withoutSpeaker(state), withTimes(item, state, stamp), toolCallId);
  }
  return changeToolCall(state, index, (item) => {
    const merged = withCall(item, mergeToolCall(item.call, call));
    const timed = withTimes(merged, state, stamp);
    return isFinished(timed) ? withoutOutcome(timed) : timed;
  });
}

/** The state after the client has done something for a call. Only its own calls change: agents report about theirs. */
export function withClientCall(state: SessionState, call: ToolCallUpdate, stamp: EventStamp): SessionState {
  return isClientCall(call.toolCallId) ? withToolCall(state, call, stamp) : state;
}

/** An update of a call, with the terminal that it reports added to its content. */
export function withTerminalShown(state: SessionState, call: ToolCallUpdate): ToolCallUpdate {
  const report = agentTerminalReport(call);
  if (report?.output === undefined) return call;
  const { terminalId } = report;
  const index = placeOf(state, 'tool-call', call.toolCallId);
  const item = index === undefined ? undefined : at(state.items, index);
  const content = call.content ?? (item?.kind === 'tool-call' ? item.call.content : undefined) ?? [];
  const isShown = content.some((piece) => piece.type === 'terminal' && piece.terminalId === terminalId);
  return isShown ? call : { ...call, content: [...content, { type: 'terminal', terminalId }] };
}

/** The state with a tool call changed, where there is one. */
export function changeToolCall(
  state: SessionState,
  index: number,
  change: (item: ToolCallItem) => ToolCallItem,
): SessionState {
  const item = at(state.items, index);
  return item?.kind === 'tool-call' ? replaceItem(state, index, change(item)) : state;
}

/**
 * The state in which the calls from an item on that are not finished are of unknown outcome, except those whose
 * question is still open.
 */
export function withUnknownOutcomes(
  state: SessionState,
  firstItem: number,
  questions: SessionState['questions'] = [],
): SessionState {
  const open = new Set(questions.map(({ requestId }) => requestId));
  let items = state;
  for (let index = firstItem; index < state.items.length; index += 1) {
    items = changeOpen(items, index, open);
  }
  return items;
}

function changeOpen(state: SessionState, index: number, questions: ReadonlySet<string>): SessionState {
  const item = at(state.items, index);
  if (item?.kind !== 'tool-call' || isFinished(item) || item.outcome !== undefined) return state;
  if (item.permission !== undefined && questions.has(item.permission.requestId)) return state;
  return replaceItem(state, index, { ...item, outcome: 'unknown' });
}

/** The time of a replay is not the time of the call. */
function withTimes(item: ToolCallItem, { progress }: SessionState, { time }: EventStamp): ToolCallItem {
  if (progress.replay !== undefined) return item;
  if (item.call.status === 'in_progress' && item.startedAt === undefined) return { ...item, startedAt: time };
  return isFinished(item) && item.endedAt === undefined ? { ...item, endedAt: time } : item;
}

/** Whether the call has completed or failed. */
export function isFinished({ call: { status } }: ToolCallItem): boolean {
  return status === 'completed' || status === 'failed';
}

/** Field by field, as there may be many updates: see `copyState`. */
function withCall(before: ToolCallItem, call: ToolCallUpdate): ToolCallItem {
  const { kind, seq, time, toolCallId, turnId, startedAt, endedAt, outcome, permission } = before;
  const item: { -readonly [Name in keyof ToolCallItem]: ToolCallItem[Name] } = {
    kind,
    seq,
    time,
    toolCallId,
    call,
  };
  if (turnId !== undefined) item.turnId = turnId;
  if (startedAt !== undefined) item.startedAt = startedAt;
  if (endedAt !== undefined) item.endedAt = endedAt;
  if (outcome !== undefined) item.outcome = outcome;
  if (permission !== undefined) item.permission = permission;
  return item;
}

function withoutOutcome({ outcome: _outcome, ...item }: ToolCallItem): ToolCallItem {
  return item;
}

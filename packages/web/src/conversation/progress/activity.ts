import type { ToolCallUpdate } from '@parley/acp';
import { at, type Item, type SessionState } from '@parley/host/state';
import { toolState } from '../tool-call/tool-state.ts';

/** What a running turn is at, and since when. */
export type Activity =
  | { readonly kind: 'permission'; readonly count: number; readonly since: number }
  | { readonly kind: 'question'; readonly count: number; readonly since: number }
  | {
      readonly kind: 'tool';
      /** The call, if it is only one. */
      readonly call?: Pick<ToolCallUpdate, 'title' | 'name'>;
      readonly count: number;
      readonly since: number;
    }
  | { readonly kind: 'answering' | 'thinking' | 'model'; readonly since: number }
  | {
      readonly kind: 'stopping';
      readonly step: 'asked' | 'request-cancelled' | 'agent-ended';
      readonly since: number;
    };

/** Maximum number of items to search: open items are near the end of a turn. */
const lookBack = 500;

/** What the running turn is waiting for; undefined if none is running. */
export function activityOf(view: SessionState): Activity | undefined {
  const turn = at(view.turns, view.turns.length - 1);
  if (turn?.state !== 'running') return undefined;
  if (turn.cancel !== undefined) return { kind: 'stopping', step: turn.cancel, since: view.time };
  const [question] = view.questions;
  if (question !== undefined) {
    const count = view.questions.length;
    return {
      kind: question.kind === 'permission' ? 'permission' : 'question',
      count,
      since: question.time,
    };
  }
  const running = runningCalls(view, turn.firstItem);
  const [first] = running;
  if (first !== undefined) {
    const since = Math.min(...running.map((call) => call.since));
    return { kind: 'tool', count: running.length, since, ...(running.length === 1 && { call: first.call }) };
  }
  return speechOf(view, at(view.items, view.items.length - 1), turn.startedAt);
}

interface RunningCall {
  readonly call: Pick<ToolCallUpdate, 'title' | 'name'>;
  readonly since: number;
}

function runningCalls({ items }: SessionState, firstItem: number): readonly RunningCall[] {
  const calls: RunningCall[] = [];
  for (let index = items.length - 1; index >= Math.max(firstItem, items.length - lookBack); index -= 1) {
    const item = at(items, index);
    if (item?.kind !== 'tool-call' || toolState(item) !== 'running') continue;
    calls.push({ call: item.call, since: item.startedAt ?? item.time });
  }
  return calls;
}

/** Silence after which an agent is displayed as quiet. */
const pauseMs = 4000;

function speechOf(view: SessionState, last: Item | undefined, startedAt: number): Activity {
  if (last?.kind === 'message' && last.role !== 'user') {
    return { kind: last.role === 'thought' ? 'thinking' : 'answering', since: last.time };
  }
  return { kind: 'model', since: Math.max(startedAt, view.time) };
}

/** Duration of silence, if it is long enough to be displayed. */
export function silenceOf(view: SessionState, now: number): number | undefined {
  const silence = now - view.time;
  return silence >= pauseMs ? silence : undefined;
}

import { at, type AgentEndItem, type SessionState } from '@parley/host/state';

/** What an agent was at when it ended. */
export interface Unfinished {
  /** A turn ran. */
  readonly isTurn: boolean;
  /** The titles of tool calls of unknown outcome, the last ones last. */
  readonly calls: readonly string[];
  /** How it ended, where it ended by itself. */
  readonly end?: AgentEndItem;
}

/** Limits of the search for unfinished calls, and of the listed ones. */
const lookBack = 200;
/** Named tool calls of an interrupted turn. */
const mostCalls = 5;

/** The unfinished actions of the last turn when it was interrupted. */
export function unfinishedOf(view: SessionState): Unfinished {
  const end = agentEndOf(view);
  return { ...openWorkOf(view), ...(end !== undefined && { end }) };
}

/** How the agent last exited, unless it was restarted since. */
function agentEndOf({ items }: SessionState): AgentEndItem | undefined {
  for (let index = items.length - 1; index >= Math.max(0, items.length - lookBack); index -= 1) {
    const item = at(items, index);
    if (item?.kind === 'agent-end') return item;
    // It works again; or worked, for a prompt was sent.
    if (item?.kind === 'recovery' || (item?.kind === 'message' && item.role === 'user')) return undefined;
  }
  return undefined;
}

function openWorkOf(view: SessionState): Unfinished {
  const turn = view.turns.length === 0 ? undefined : at(view.turns, view.turns.length - 1);
  if (turn === undefined || (turn.state === 'ended' && turn.error === undefined)) {
    return { isTurn: false, calls: [] };
  }
  const calls: string[] = [];
  const first = Math.max(turn.firstItem, view.items.length - lookBack);
  for (let index = view.items.length - 1; index >= first && calls.length < mostCalls; index -= 1) {
    const item = at(view.items, index);
    if (item?.kind !== 'tool-call') continue;
    const { status } = item.call;
    const isOpen = status === 'in_progress' || status === 'pending' || item.outcome === 'unknown';
    if (isOpen) calls.unshift(item.call.title ?? item.toolCallId);
  }
  return { isTurn: true, calls };
}

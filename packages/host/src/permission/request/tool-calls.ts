import type { ToolCallUpdate } from '@parley/acp';
import { claimedKind, stricterKind } from './action-kind.ts';

/** How many open tool calls of one turn are remembered; the oldest is forgotten first. */
const toolCallLimit = 1024;

/** What the agent has sent about the tool calls of the running turn. */
export interface ToolCalls {
  /**
   * Takes a `tool_call` or `tool_call_update`: what it has replaces what was known, but for a kind that is less strict. A call
   * that ended is forgotten.
   */
  note(update: ToolCallUpdate): void;
  /** What an update says, and below it what was known of that call. */
  complete(update: ToolCallUpdate): ToolCallUpdate;
  /** The calls that are not finished, newest first. */
  open(): Iterable<ToolCallUpdate>;
  clear(): void;
}

/** Begins to remember tool calls. */
export function createToolCalls(): ToolCalls {
  const calls = new Map<string, ToolCallUpdate>();

  function complete(update: ToolCallUpdate): ToolCallUpdate {
    const known = calls.get(update.toolCallId);
    if (known === undefined) return update;
    const [before, now] = [claimedKind(known), claimedKind(update)];
    const kind = before === undefined || now === undefined ? (before ?? now) : stricterKind(before, now);
    return { ...known, ...update, ...(kind !== undefined && { kind }) };
  }

  return {
    note(update) {
      const call = complete(update);
      const { toolCallId } = call;
      if (isFinished(call)) {
        calls.delete(toolCallId);
        return;
      }
      calls.set(toolCallId, call);
      if (calls.size <= toolCallLimit) return;
      const [oldest] = calls.keys();
      if (oldest !== undefined) calls.delete(oldest);
    },
    complete,
    open() {
      return [...calls.values()].toReversed();
    },
    clear() {
      calls.clear();
    },
  };
}

/** Whether the call has ended, one way or the other. */
export function isFinished(call: ToolCallUpdate): boolean {
  return call.status === 'completed' || call.status === 'failed';
}

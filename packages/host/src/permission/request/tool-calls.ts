import type { ToolCallUpdate, ToolKind } from '@parley/acp';
import { mergeToolCall } from '../../merge-tool-call.ts';
import { claimedKind, stricterKind } from './action-kind.ts';

/** Remembered open tool calls of one turn; the oldest are dropped first. */
const toolCallLimit = 1024;

/** What the agent has sent about the tool calls of the running turn. */
export interface ToolCalls {
  /**
   * Applies a `tool_call` or `tool_call_update`: its fields replace known ones, except that a kind never becomes less
   * harmful. Finished calls are forgotten. Returns the merged call.
   */
  note(update: ToolCallUpdate): ToolCallUpdate;
  /** Merges an update over the known fields of the call, without storing it. */
  complete(update: ToolCallUpdate): ToolCallUpdate;
  /** The calls that are not finished, newest first. */
  open(): Iterable<ToolCallUpdate>;
  clear(): void;
}

interface KnownCall {
  readonly call: ToolCallUpdate;
  /** The strictest kind that any update of the call claimed or showed: the input is not read again for it. */
  readonly kind: ToolKind | undefined;
}

/** Begins to remember tool calls. */
export function createToolCalls(): ToolCalls {
  const calls = new Map<string, KnownCall>();

  function toKnown(update: ToolCallUpdate): KnownCall {
    const now = claimedKind(update);
    const known = calls.get(update.toolCallId);
    if (known === undefined) return { call: update, kind: now };
    const before = known.kind;
    const kind = before === undefined || now === undefined ? (before ?? now) : stricterKind(before, now);
    const call = mergeToolCall(known.call, update);
    return { call: kind === call.kind || kind === undefined ? call : { ...call, kind }, kind };
  }

  return {
    note(update) {
      const known = toKnown(update);
      const { call } = known;
      const { toolCallId } = call;
      if (isFinished(call)) {
        calls.delete(toolCallId);
        return call;
      }
      calls.set(toolCallId, known);
      if (calls.size <= toolCallLimit) return call;
      const [oldest] = calls.keys();
      if (oldest !== undefined) calls.delete(oldest);
      return call;
    },
    complete: (update) => toKnown(update).call,
    open() {
      return Array.from(calls.values(), ({ call }) => call).toReversed();
    },
    clear() {
      calls.clear();
    },
  };
}

/** Whether the call has completed or failed. */
export function isFinished(call: ToolCallUpdate): boolean {
  return call.status === 'completed' || call.status === 'failed';
}

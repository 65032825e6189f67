import type { ToolCallUpdate } from '@parley/acp';

/** What a turn waits for. */
export interface TurnWait {
  /** How long nothing was heard of the agent. */
  readonly silentMs: number;
  /** The tool calls that have not ended, the newest first. */
  readonly toolCalls: readonly OpenToolCall[];
  /** How many questions are not answered yet. */
  readonly questions: number;
  /** What the agent's processes do, where that is known. */
  readonly process?: 'busy' | 'idle';
}

/** A tool call that has not ended, as far as it has a name. */
export interface OpenToolCall {
  readonly toolCallId: string;
  readonly title?: string;
  readonly kind?: string;
}

/** The tool calls that have not ended, as far as they have names. */
export function toOpenToolCalls(calls: Iterable<ToolCallUpdate>): readonly OpenToolCall[] {
  return [...calls].map(({ toolCallId, title, kind }) => ({
    toolCallId,
    ...(title !== undefined && { title }),
    ...(kind !== undefined && { kind }),
  }));
}

/** How many tool calls are named. */
const namedCalls = 3;

/** Says what a turn waits for, in one line. */
export function describeWait({ silentMs, toolCalls, questions, process }: TurnWait): string {
  return [
    `nothing was heard of the agent for ${(silentMs / 1000).toFixed(1)} s`,
    describeCalls(toolCalls),
    ...(questions > 0
      ? [`${String(questions)} unanswered ${questions === 1 ? 'question' : 'questions'}`]
      : []),
    ...(process === undefined ? [] : [`its processes are ${process}`]),
  ].join('; ');
}

function describeCalls(toolCalls: readonly OpenToolCall[]): string {
  if (toolCalls.length === 0) return 'no tool call is open';
  const named = toolCalls.slice(0, namedCalls).map(({ toolCallId, title, kind }) => {
    const name = JSON.stringify(title ?? toolCallId);
    return kind === undefined ? name : `${name} (${kind})`;
  });
  const more = toolCalls.length > namedCalls ? `, and ${String(toolCalls.length - namedCalls)} more` : '';
  return `open tool calls: ${named.join(', ')}${more}`;
}

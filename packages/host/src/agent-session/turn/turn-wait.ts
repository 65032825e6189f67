import type { ToolCallUpdate } from '@parley/acp';

/** What a turn is waiting for. */
export interface TurnWait {
  /** Duration of the agent's silence. */
  readonly silentMs: number;
  /** The open tool calls, newest first. */
  readonly toolCalls: readonly OpenToolCall[];
  /** Number of unanswered questions. */
  readonly questions: number;
  /** Whether the agent's processes are using CPU time, if known. */
  readonly process?: 'busy' | 'idle';
}

/** An open tool call, with its name if known. */
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

/** Describes in one line what a turn is waiting for. */
export function describeWait({ silentMs, toolCalls, questions, process }: TurnWait): string {
  return [
    `the agent was silent for ${(silentMs / 1000).toFixed(1)} s`,
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

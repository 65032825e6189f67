import type { ResultMeta, ToolResult } from './tool-result.ts';
import type { Meta, ToolCall } from './tool.ts';

/** Why a turn ended. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'error';

/** An event of the stream of a turn. */
export type TurnEvent =
  | TurnStartEvent
  | TextDeltaEvent
  | ThinkingDeltaEvent
  | TextEvent
  | ThinkingEvent
  | ToolCallEvent
  | ToolResultEvent
  | TurnStopEvent;

/** An event of the mode `delta`. */
export type DeltaTurnEvent = Exclude<TurnEvent, TextEvent | ThinkingEvent>;

/** An event of the mode `message`. */
export type MessageTurnEvent = Exclude<TurnEvent, TextDeltaEvent | ThinkingDeltaEvent>;

/** Always the first event. */
export interface TurnStartEvent {
  readonly event: 'turn_start';
  /** @see the extension `turns` of the server */
  readonly turnId?: string;
}

/** A piece of text. Mode `delta` only. */
export interface TextDeltaEvent {
  readonly event: 'text_delta';
  readonly delta: string;
}

/** A piece of a thought. Mode `delta` only. */
export interface ThinkingDeltaEvent {
  readonly event: 'thinking_delta';
  readonly delta: string;
}

/** A complete text. Mode `message` only. */
export interface TextEvent {
  readonly event: 'text';
  readonly text: string;
}

/** A complete thought. Mode `message` only. */
export interface ThinkingEvent {
  readonly event: 'thinking';
  readonly thinking: string;
}

/** The agent calls a tool. */
export interface ToolCallEvent extends ToolCall, Meta {
  readonly event: 'tool_call';
}

/** The result of one of the agent's calls. */
export interface ToolResultEvent extends ToolResult, ResultMeta {
  readonly event: 'tool_result';
}

/** Always the last event. */
export interface TurnStopEvent {
  readonly event: 'turn_stop';
  readonly stopReason: StopReason;
  /** The failure, if the stop reason is `error`. An extension. */
  readonly error?: TurnError;
  /** More specific than the stop reason: `cancelled`, `shutdown`. An extension. */
  readonly detail?: string;
  /** The usage, as reported by the agent. An extension. */
  readonly usage?: unknown;
}

/** Why a turn failed. */
export interface TurnError {
  /** An error code. */
  readonly code: string;
  readonly message: string;
}

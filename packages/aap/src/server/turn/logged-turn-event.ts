import type { ToolResult } from '../../tool-result.ts';
import type { ToolCallEvent, ToolResultEvent, TextDeltaEvent, ThinkingDeltaEvent } from '../../turn-event.ts';

/**
 * What happens between the start and the stop of a turn, as it is kept: of texts and thoughts their pieces, so that
 * each stream mode can be derived from it.
 */
export type LoggedTurnEvent =
  | TextDeltaEvent
  | ThinkingDeltaEvent
  | LoggedToolCall
  | LoggedToolResult
  | BlockEnd
  | ExtensionEvent;

/** What the application is to give for a call: leave to make it, or what came of it. */
export type Asked = 'permission' | 'result';

/** The agent calls a tool. */
export interface LoggedToolCall extends ToolCallEvent, Meta {
  /** The application has to act next. */
  readonly asks?: Asked;
}

/** What came of a call. */
export interface LoggedToolResult extends ToolResultEvent, Meta {
  readonly isError?: boolean;
  /** What is sent in place of the content. */
  readonly shown?: ToolResult['content'];
}

/** What follows is another text or thought. Never sent as such. */
export interface BlockEnd {
  readonly event: 'block_end';
}

/** An event that is no part of the protocol. */
export interface ExtensionEvent {
  readonly event: 'extension';
  /** How it is called on the stream. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Meta {
  readonly _meta?: Readonly<Record<string, unknown>>;
}

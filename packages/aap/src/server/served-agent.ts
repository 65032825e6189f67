import type { AgentInfo } from '../agent-info.ts';
import type { ContentBlock, ImageContentBlock } from '../content-block.ts';
import type { HistoryMessage, UserMessage } from '../message.ts';
import type { ToolResult } from '../tool-result.ts';
import type { ServerToolRef, ToolCall, ToolSpec } from '../tool.ts';
import type { StopReason, TurnError } from '../turn-event.ts';

/**
 * An agent that a server offers.
 *
 * ```ts
 * const echo: ServedAgent = {
 *   info: { name: 'echo', version: '1.0.0' },
 *   async run(run) {
 *     await run.text(`You said: ${messageText(run.input)}`);
 *     return { stopReason: 'end_turn' };
 *   },
 * };
 * ```
 */
export interface ServedAgent {
  /** What `/meta` says of it. May be a getter: it is read for each request. */
  readonly info: AgentInfo;
  /**
   * Answers one message of the user. A run may stretch over several turns: while it waits for the application (a
   * permission, a result of one of the application's tools), the turn stops with `tool_use`, and the run goes on with the next.
   *
   * @throws the error that made it fail: the turn then stops with `error`
   */
  run(run: Run): Promise<RunEnd>;
  /**
   * A session was deleted: releases what is stored for it. No run of it is going on any more.
   *
   * @param state What was remembered last.
   */
  forget?(sessionId: string, state: unknown): Promise<void>;
}

/** What a run begins with. */
export type RunInput = UserMessage | RunAnswers;

/**
 * The application's answers to calls whose own run is gone, because the server was started again in between. The calls are
 * in the history, and so are the results; what was granted was not executed yet.
 */
export interface RunAnswers {
  readonly role: 'answers';
  readonly answers: readonly CallAnswer[];
}

/** What the application decided about one call, or what came of one of its own tools. */
export type CallAnswer =
  | { readonly call: ToolCall; readonly kind: 'granted'; readonly optionId?: string }
  | { readonly call: ToolCall; readonly kind: 'denied'; readonly reason?: string }
  | { readonly call: ToolCall; readonly kind: 'result'; readonly content: ToolResult['content'] };

/** How a run ends. `tool_use` is none of it: that is a pause, and the server's business. */
export interface RunEnd {
  readonly stopReason: Exclude<StopReason, 'tool_use'>;
  /** Why it is `error`. */
  readonly error?: TurnError;
  /** Finer than the stop reason. */
  readonly detail?: string;
  /** What was used, as the agent reports it. */
  readonly usage?: unknown;
}

/** Whether a call may be made. */
export type CallPermission =
  | { readonly granted: true; readonly optionId?: string }
  | {
      readonly granted: false;
      readonly reason?: string;
      /** Who said so: the application, the session's settings, or the end of the wait. */
      readonly by: 'application' | 'disabled' | 'superseded' | 'expired' | 'cancelled';
    };

/** Who sent a message, or answers, as far as that is known. */
export interface RunSender {
  /** By {@link Access.name}. */
  readonly name?: string;
  /** What their client calls itself: the first product of `User-Agent`. */
  readonly client?: string;
}

/** What goes along with a call or an event and is no part of the protocol. */
export interface Extras {
  /** Sent and stored as `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Extras of a result. */
export interface ResultExtras extends Extras {
  /** The tool failed. Sent and stored as `isError`. */
  readonly isError?: boolean;
  /** What applications receive in place of the content; the full history has the content itself. */
  readonly shown?: ToolResult['content'];
}

/**
 * An agent's answer in the making. What it receives is stored before it is sent. A promise means that the store is
 * behind: await it before going on.
 */
export interface Run {
  readonly sessionId: string;
  /** The turn that is going on, or went on last. */
  readonly turnId: string;
  readonly input: RunInput;
  /** Who began the turn that is going on, or went on last. */
  readonly sender: RunSender;
  /** What was said before the input, oldest first. */
  readonly history: readonly HistoryMessage[];
  /** All of the agent's options, with their defaults; secrets in plain. As they are now: a later turn may change them. */
  readonly options: Readonly<Record<string, string>>;
  /** The agent's own tools that are enabled, by name. As they are now. */
  readonly serverTools: ReadonlyMap<string, ServerToolRef>;
  /** The application's tools. As they are now. */
  readonly clientTools: readonly ToolSpec[];
  /** The run is not wanted any more; its `reason` is a `RunStop`. */
  readonly signal: AbortSignal;
  /** W3C trace context of the request that began the turn. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string };
  /** What was remembered last, also by another process. */
  readonly state: unknown;
  /** Keeps something of the agent's own with the session, such as an id. It is JSON, holds no secrets, and is never sent. */
  remember(state: unknown): Promise<void>;
  /**
   * Hears of each pause: true when the turn has stopped for the application, false when the next one goes on. A run that ends while it
   * is paused ends nothing that the application sees: its answers begin another run.
   */
  onPause(listener: (isPaused: boolean) => void): void;
  /** Says a piece of text. One `text_delta` each. */
  text(delta: string): void | Promise<void>;
  /** Emits a piece of a thought. */
  thinking(delta: string): void | Promise<void>;
  /** Shows an image: a block of the history, and the event `image`, which is no part of the protocol. */
  image(image: ImageContentBlock): void | Promise<void>;
  /** Ends the text or thought: what follows begins another. */
  endBlock(): void;
  /** Flushes to the store what was emitted so far, for an agent that stores there by itself what happened after it. */
  flush(): void;
  /**
   * Sets how many announced calls may still ask for permission, or use a tool of the application. A turn that is about to stop
   * for other calls waits for these, at most `limits.announcedMs`, so that the application answers all of them at once.
   */
  announce(pending: number): void;
  /** Emits a call that needs no answer. Once for each id; its result must follow. */
  toolCall(call: ToolCall, extras?: Extras): void | Promise<void>;
  /** Emits the result of a call of the agent's own. A second result of a call is ignored. */
  toolResult(result: ToolResult, extras?: ResultExtras): void | Promise<void>;
  /**
   * Asks whether a call of the agent's own may be made. A tool that is trusted is granted at once, one that is not enabled
   * is denied at once; else the application is asked. The server emits the call, and a denial as its result.
   *
   * @throws {AapServerError} `open-call`: the call was emitted and has no result. Another question about it needs an id of its own.
   */
  permission(call: ToolCall, extras?: Extras): Promise<CallPermission>;
  /**
   * Has the application use one of its tools.
   *
   * @throws {AapServerError} `run-over`: it is not wanted any more. `unknown-tool`, `invalid-input`: the message is fit
   * for a model.
   */
  callClientTool(call: ToolCall, extras?: Extras): Promise<string | readonly ContentBlock[]>;
  /** Sends an event that is no part of the protocol, such as `plan`. Not in histories. */
  extension(event: string, data: Readonly<Record<string, unknown>>): void | Promise<void>;
  /** The agent gave the session a title, or changed an option by itself. Counts also when no turn is going on. */
  updateSession(change: SessionChange): Promise<void>;
}

/** What an agent may change of a session. */
export interface SessionChange {
  readonly title?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * Why a run is not wanted any more: cancelled, overtaken by another message, the session deleted, its time over, or the
 * server about to end.
 */
export type RunStop = 'cancelled' | 'superseded' | 'deleted' | 'deadline' | 'shutdown';

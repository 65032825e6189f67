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
  /** The description in `/meta`. May be a getter: it is read for each request. */
  readonly info: AgentInfo;
  /**
   * Handles one message of the user. A run may span several turns: while it waits for the application (a permission,
   * a result of one of the application's tools), the turn stops with `tool_use`, and the run continues in the next
   * turn.
   *
   * @throws the failure: the turn then stops with `error`
   */
  run(run: Run): Promise<RunEnd>;
  /**
   * Releases the resources of a deleted session. No run of it is active.
   *
   * @param state The last remembered state.
   */
  forget?(sessionId: string, state: unknown): Promise<void>;
  /** Ends what runs for a session: another process owns it now. Never rejects. */
  release?(sessionId: string): Promise<void>;
}

/** The input of a run. */
export type RunInput = UserMessage | RunAnswers;

/**
 * The application's answers to calls whose run no longer exists because the server was restarted. The history
 * contains the calls and the results; allowed calls were not executed yet.
 */
export interface RunAnswers {
  readonly role: 'answers';
  readonly answers: readonly CallAnswer[];
}

/** The application's decision about a call, or the result of one of its tools. */
export type CallAnswer =
  | { readonly call: ToolCall; readonly kind: 'granted'; readonly optionId?: string }
  | { readonly call: ToolCall; readonly kind: 'denied'; readonly reason?: string }
  | { readonly call: ToolCall; readonly kind: 'result'; readonly content: ToolResult['content'] };

/** The result of a run. `tool_use` is not one: the server pauses runs. */
export interface RunEnd {
  readonly stopReason: Exclude<StopReason, 'tool_use'>;
  /** The failure, if the stop reason is `error`. */
  readonly error?: TurnError;
  /** More specific than the stop reason. */
  readonly detail?: string;
  /** The usage, as reported by the agent. */
  readonly usage?: unknown;
}

/** Whether a call may be made. */
export type CallPermission =
  | { readonly granted: true; readonly optionId?: string }
  | {
      readonly granted: false;
      readonly reason?: string;
      readonly optionId?: string;
      /** Who decided: the application, the session's settings, or a timeout. */
      readonly by: 'application' | 'disabled' | 'superseded' | 'expired' | 'cancelled';
    };

/** The sender of a message or of answers, as far as known. */
export interface RunSender {
  /** From {@link Access.name}. */
  readonly name?: string;
  /** The first product of the client's `User-Agent`. */
  readonly client?: string;
}

/** Additional data of a call or an event that is not part of the protocol. */
export interface Extras {
  /** Sent and stored as `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Additional data of a result. */
export interface ResultExtras extends Extras {
  /** Whether the tool failed. Sent and stored as `isError`. */
  readonly isError?: boolean;
  /** Replaces the content for applications; the full history contains the content itself. */
  readonly shown?: ToolResult['content'];
}

/**
 * A response of an agent in progress. Emitted content is stored before it is sent. A returned promise means that the
 * store is behind: await it before you continue.
 */
export interface Run {
  readonly sessionId: string;
  /** The id of the current or last turn. */
  readonly turnId: string;
  readonly input: RunInput;
  /** The sender that started the current or last turn. */
  readonly sender: RunSender;
  /** The messages before the input, oldest first. */
  readonly history: readonly HistoryMessage[];
  /** The current values of all options, including defaults and decrypted secrets. A later turn may change them. */
  readonly options: Readonly<Record<string, string>>;
  /** The enabled tools of the agent, by name. Current values. */
  readonly serverTools: ReadonlyMap<string, ServerToolRef>;
  /** The application's tools. Current values. */
  readonly clientTools: readonly ToolSpec[];
  /** Aborted when the run is cancelled; its `reason` is a `RunStop`. */
  readonly signal: AbortSignal;
  /** The W3C trace context of the request that started the turn. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string };
  /** The state that was remembered last, also by another process. */
  readonly state: unknown;
  /**
   * Stores state of the agent with the session, such as an id. It must be JSON, must not contain secrets, and is
   * never sent.
   */
  remember(state: unknown): Promise<void>;
  /**
   * Called for each pause: true when the turn has stopped for the application, false when the next one starts. If a
   * run ends while it is paused, the application sees no end: its answers start another run.
   */
  onPause(listener: (isPaused: boolean) => void): void;
  /** Emits a piece of text, as one `text_delta`. */
  text(delta: string): void | Promise<void>;
  /** Emits a piece of a thought. */
  thinking(delta: string): void | Promise<void>;
  /** Emits an image: a block of the history, and the event `image`, which is not part of the protocol. */
  image(image: ImageContentBlock): void | Promise<void>;
  /** Ends the current text or thought block. */
  endBlock(): void;
  /** Writes what was emitted so far to the store, for an agent that also writes there itself. */
  flush(): void;
  /**
   * Sets how many announced calls may still ask for permission, or use a tool of the application. A turn that is
   * about to stop for other calls waits for them, at most `limits.announcedMs`, so that the application can answer
   * all of them together.
   */
  announce(pending: number): void;
  /** Emits a call that needs no answer. Once per id; its result must follow. */
  toolCall(call: ToolCall, extras?: Extras): void | Promise<void>;
  /** Emits the result of one of the agent's calls. A second result of a call is ignored. */
  toolResult(result: ToolResult, extras?: ResultExtras): void | Promise<void>;
  /**
   * Asks whether the agent may make a call. A trusted tool is allowed immediately, a disabled tool is denied
   * immediately; otherwise the application is asked. The server emits the call, and a denial as its result.
   *
   * @throws {AapServerError} `open-call`: the call was emitted and has no result. Another request about it needs a
   * new id.
   */
  permission(call: ToolCall, extras?: Extras): Promise<CallPermission>;
  /**
   * Calls one of the application's tools.
   *
   * @throws {AapServerError} `run-over`: the run was cancelled. `unknown-tool`, `invalid-input`: the message is
   * suitable for a model.
   */
  callClientTool(call: ToolCall, extras?: Extras): Promise<string | readonly ContentBlock[]>;
  /** Sends an event that is not part of the protocol, such as `plan`. Not in histories. */
  extension(event: string, data: Readonly<Record<string, unknown>>): void | Promise<void>;
  /**
   * Reports that the agent changed the title of the session or one of its options. Also works without a running turn.
   */
  updateSession(change: AapSessionChange): Promise<void>;
}

/** Changes that an agent can make to a session. */
export interface AapSessionChange {
  readonly title?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * Why a run was cancelled: by a client, by a newer message, by deletion of the session, by a timeout, or by a
 * shutdown of the server.
 */
export type RunStop = 'cancelled' | 'superseded' | 'deleted' | 'deadline' | 'shutdown';

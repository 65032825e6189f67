import type {
  AgentCapabilities,
  ContentBlock,
  Implementation,
  PermissionOption,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
} from '@parley/acp';
import type { Settings } from './session/settings.ts';
import type { TurnLimit } from './session/turn-time.ts';
import type { TurnWait } from './session/turn-wait.ts';
import type { TurnUsage } from './usage/turn-usage.ts';

/** Something a person or a script may want to see, in the order it happened. */
export type HostEvent =
  | AgentStartingEvent
  | AgentStartEvent
  | AgentEndEvent
  | AgentRestartEvent
  | AgentGivenUpEvent
  | SessionOpeningEvent
  | SessionNotOpenedEvent
  | SessionEvent
  | SessionReadyEvent
  | SessionEndEvent
  | SessionRecoveredEvent
  | SessionStateEvent
  | SettingsEvent
  | TurnStartEvent
  | TurnTimeoutEvent
  | TurnCancelEvent
  | TurnEndEvent
  | UpdateEvent
  | PermissionRequestEvent
  | PermissionEvent
  | ElicitationRequestEvent
  | ElicitationEvent
  | FileWriteEvent
  | TerminalStartEvent
  | TerminalEndEvent
  | DiagnosticEvent
  | StderrEvent;

/** The agent was started, or reached, and is asked to initialize. */
export interface AgentStartingEvent {
  readonly type: 'agent-starting';
  readonly agent: string;
  /** Of its process, if it has one. */
  readonly pid?: number;
  /** How long it may take to answer. */
  readonly limitMs: number;
}

/** The agent answered `initialize`. */
export interface AgentStartEvent {
  readonly type: 'agent-start';
  /** What we call it. */
  readonly agent: string;
  /** What it says it is. */
  readonly info?: Implementation;
  readonly protocolVersion: number;
  readonly capabilities: AgentCapabilities;
}

/** The agent is gone: its process, or without one its connection. */
export interface AgentEndEvent {
  readonly type: 'agent-end';
  /** Whether this side wanted it. */
  readonly expected: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A supervised agent has ended by itself and is about to be started again. */
export interface AgentRestartEvent {
  readonly type: 'agent-restart';
  readonly agent: string;
  /** From 1. */
  readonly attempt: number;
  /** How many there will be at most. */
  readonly attempts: number;
  readonly delayMs: number;
}

/** A supervised agent has ended too often, or could not be started again. */
export interface AgentGivenUpEvent {
  readonly type: 'agent-given-up';
  readonly agent: string;
  readonly attempts: number;
  readonly message: string;
}

/** The agent is asked to open a session. */
export interface SessionOpeningEvent {
  readonly type: 'session-opening';
  readonly agent: string;
  /** How long it may take to answer; of a session that it keeps, how long it may be silent. */
  readonly limitMs: number;
}

/** The agent did not open the session that it was asked for. */
export interface SessionNotOpenedEvent {
  readonly type: 'session-not-opened';
  readonly agent: string;
}

/** A session's id is known. Comes before anything else about that session. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  /** A new session, one continued without its history, or one whose history is being told again. */
  readonly origin: 'new' | 'resumed' | 'loaded';
}

/** The session is open: what the agent tells again of its history has been told. */
export interface SessionReadyEvent extends Settings {
  readonly type: 'session-ready';
  readonly sessionId: string;
}

/** The session is not open any more, or could not be opened. */
export interface SessionEndEvent {
  readonly type: 'session-end';
  readonly sessionId: string;
  readonly reason: 'closed' | 'agent-ended' | 'not-opened';
}

/** A session is open again, with an agent that was started again. */
export interface SessionRecoveredEvent {
  readonly type: 'session-recovered';
  /** As it was called before. */
  readonly sessionId: string;
  /** Continued without its history, with its history told again, or not at all: a new one was begun in its place. */
  readonly by: 'resume' | 'load' | 'new';
  /** The new one. */
  readonly newSessionId?: string;
}

/** Where a session of a supervised agent stands. */
export type SessionState = 'starting' | 'ready' | 'running' | 'waiting' | 'stopping' | 'closed' | 'failed';

/** A session of a supervised agent has another state. */
export interface SessionStateEvent {
  readonly type: 'session-state';
  readonly sessionId: string;
  readonly state: SessionState;
}

/** This side changed a setting; what the agent changes comes as an update. */
export interface SettingsEvent extends Settings {
  readonly type: 'settings';
  readonly sessionId: string;
}

/** A prompt is being sent. */
export interface TurnStartEvent {
  readonly type: 'turn-start';
  readonly sessionId: string;
  readonly turnId: string;
  readonly prompt: readonly ContentBlock[];
  /** Where it stands in a distributed trace, as W3C Trace Context writes it. */
  readonly traceparent?: string;
}

/** A turn has reached a limit, and is about to be cancelled for it. */
export interface TurnTimeoutEvent {
  readonly type: 'turn-timeout';
  readonly sessionId: string;
  readonly turnId: string;
  readonly limit: TurnLimit;
  readonly limitMs: number;
  readonly waitsFor: TurnWait;
}

/** A step on the way down of a cancelled turn. */
export interface TurnCancelEvent {
  readonly type: 'turn-cancel';
  readonly sessionId: string;
  readonly turnId: string;
  /** The agent was told; the prompt was cancelled as a request too; the agent, which did not end the turn, is ended. */
  readonly step: 'asked' | 'request-cancelled' | 'agent-ended';
}

/** A turn has ended: with a stop reason, or without an answer that counts. */
export type TurnEndEvent = TurnStop | TurnFailure;

/** What each {@link TurnEndEvent} has. */
export interface TurnEndBase {
  readonly type: 'turn-end';
  readonly sessionId: string;
  readonly turnId: string;
}

/** A {@link TurnEndEvent} with a stop reason. */
export interface TurnStop extends TurnEndBase, TurnUsage {
  readonly stopReason: StopReason;
  /** What the agent called it, where the stop reason is `unknown`. */
  readonly rawStopReason?: string;
}

/** A {@link TurnEndEvent} without one: the prompt failed. */
export interface TurnFailure extends TurnEndBase {
  /** The agent's own code, or one of a `HostError`. */
  readonly error: { readonly code: string | number; readonly message: string };
  /** The tool calls that were open when the agent ended: nobody knows what came of them. */
  readonly unknownOutcome?: readonly string[];
}

/** The agent sent `session/update`. */
export interface UpdateEvent {
  readonly type: 'update';
  readonly sessionId: string;
  /** The update exactly as it came. */
  readonly update: unknown;
  /** The same as JSON, in one line; undefined when only the value is known. */
  readonly text: string | undefined;
  /** The update as the schema reads it. */
  readonly view: SessionUpdate;
  /** Part of a turn, though the turn had ended already. */
  readonly late: boolean;
  /** Part of a history that `session/load` tells again. */
  readonly replay: boolean;
}

/** Who decided: an approval level, a configured rule, a person, or nobody because no person was there. */
export type DecidedBy = 'flag' | 'rule' | 'person' | 'nobody';

/** A permission is wanted: the agent asks for it, or acts without having asked. Its answer is a `permission`. */
export interface PermissionRequestEvent {
  readonly type: 'permission-request';
  readonly sessionId: string;
  readonly requestId: string;
  /** All that is known of the call. */
  readonly toolCall: ToolCallUpdate;
  readonly options: readonly PermissionOption[];
  /** The call shows nothing of what it would do; no rule allows it. */
  readonly opaque?: true;
}

/** A permission was asked for and answered. */
export interface PermissionEvent {
  readonly type: 'permission';
  readonly sessionId: string;
  /** Of the `permission-request` before it. */
  readonly requestId: string;
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  /** The id of the chosen option, or `cancelled`. */
  readonly decision: string;
  readonly by: DecidedBy;
  readonly reason: string;
  /** Nobody was asked now: the person answered before, for longer. */
  readonly remembered?: true;
}

/** The agent asks a question. Its answer is an `elicitation`. */
export interface ElicitationRequestEvent {
  readonly type: 'elicitation-request';
  readonly sessionId?: string;
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  readonly toolCallId?: string;
}

/** The agent asked a question, and it was answered. */
export interface ElicitationEvent {
  readonly type: 'elicitation';
  readonly sessionId?: string;
  /** Of the `elicitation-request` before it. */
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  /** `accept`, `decline` or `cancel`. */
  readonly action: string;
  readonly by: 'person' | 'nobody';
}

/** The agent wrote a file through the client. */
export interface FileWriteEvent {
  readonly type: 'file-write';
  readonly sessionId: string;
  readonly toolCallId: string;
  /** The real path. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** What a file held, as far as it is kept. */
export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'omitted'; readonly reason: 'binary' | 'too-large' };

/** The agent started a command through the client. */
export interface TerminalStartEvent {
  readonly type: 'terminal-start';
  readonly sessionId: string;
  readonly terminalId: string;
  readonly toolCallId: string;
  /** As one line. */
  readonly command: string;
  readonly cwd: string;
}

/** A command of a terminal has ended. */
export interface TerminalEndEvent {
  readonly type: 'terminal-end';
  readonly sessionId: string;
  readonly terminalId: string;
  /** The end of what it wrote. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
}

/**
 * What a diagnostic is about.
 *
 * - `stdout-noise`: a line that is no message.
 * - `invalid-utf8`, `oversized-line`, `truncated-line`: a line that could not be read; it was skipped.
 * - `invalid-message`: JSON, but no message of the protocol.
 * - `unexpected-answer`: an answer nobody waits for.
 * - `unknown-variant`: a kind of update, of permission option, or a stop reason that we do not know; it is passed on as
 *   it came.
 * - `ignored-notification`: a notification that breaks the protocol, or that nobody knows; it was ignored.
 * - `unknown-session`: something about a session that is not open.
 * - `late-update`: an update of a turn that had ended.
 * - `cancel-error`: a cancelled prompt was answered with an error instead of `cancelled`.
 * - `agent-ended`: the agent did not end a cancelled turn in time and was ended.
 * - `not-recovered`: a session, or one of its settings, could not be had again after its agent was started again.
 * - `close-failed`: the agent did not close a session as it was asked to.
 * - `answers`: remembered answers could not be read, or an answer not be kept.
 * - `limit-reached`: a bound of LIMITS.md was reached.
 * - `handler-failed`: something of ours threw.
 */
export type DiagnosticCode =
  | 'stdout-noise'
  | 'invalid-utf8'
  | 'oversized-line'
  | 'truncated-line'
  | 'invalid-message'
  | 'unexpected-answer'
  | 'unknown-variant'
  | 'ignored-notification'
  | 'unknown-session'
  | 'late-update'
  | 'cancel-error'
  | 'agent-ended'
  | 'not-recovered'
  | 'close-failed'
  | 'answers'
  | 'limit-reached'
  | 'handler-failed';

/** Something odd that was survived. */
export interface DiagnosticEvent {
  readonly type: 'diagnostic';
  readonly level: 'info' | 'warning' | 'error';
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Text the agent wrote to standard error. */
export interface StderrEvent {
  readonly type: 'stderr';
  readonly text: string;
}

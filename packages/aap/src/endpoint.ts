import type {
  AgentConfig,
  AgentInfo,
  AgentOverride,
  HistoryType,
  StreamMode,
  Supported,
} from './agent-info.ts';
import type { AgentMessage, ApplicationMessage, HistoryMessage } from './message.ts';
import type { ToolCall, ToolSpec } from './tool.ts';
import type { StopReason, TurnError } from './turn-event.ts';

/** The version of the protocol. */
export const protocolVersion = 3;

/** `GET /meta`. */
export interface GetMetaResponse {
  readonly version: typeof protocolVersion;
  readonly agents: readonly AgentInfo[];
  /** What the server has beyond the protocol, by name. An extension. */
  readonly extensions?: Readonly<Record<string, Supported>>;
}

/** A session, as `GET /sessions` and `GET /sessions/:id` return it. */
export interface SessionInfo {
  readonly sessionId: string;
  /** Values of secret options are replaced. */
  readonly agent: AgentConfig;
  /** The application's tools. */
  readonly tools?: readonly ToolSpec[];
  /** For people; null while there is none. An extension. */
  readonly title?: string | null;
  /** When it was made, ISO 8601. An extension. */
  readonly createdAt?: string;
  /** When something was said last, ISO 8601. An extension. */
  readonly updatedAt?: string;
  /** An extension. */
  readonly status?: SessionStatus;
  /** The calls that wait for the application. Not in lists. An extension. */
  readonly pendingToolCalls?: readonly ToolCall[];
}

/** What a session does: nothing, a turn, or waiting for answers to tool calls. */
export type SessionStatus = 'idle' | 'running' | 'waiting';

/** `GET /sessions`. */
export interface GetSessionsResponse {
  readonly sessions: readonly SessionInfo[];
  /** To be given as `after` for the next page. @default there is none */
  readonly next?: string;
}

/** `POST /sessions`. */
export interface PostSessionsRequest {
  readonly agent: AgentConfig;
  /** What was said before: instructions, an earlier conversation. */
  readonly messages?: readonly HistoryMessage[];
  /** The application's tools. */
  readonly tools?: readonly ToolSpec[];
}

/** The answer to {@link PostSessionsRequest}. */
export interface PostSessionsResponse {
  readonly sessionId: string;
}

/** `GET /sessions/:id`. */
export type GetSessionResponse = SessionInfo;

/** `GET /sessions/:id/history`: the kind that was asked for. */
export interface GetSessionHistoryResponse {
  readonly history: Readonly<Partial<Record<HistoryType, readonly HistoryMessage[]>>>;
}

/** `POST /sessions/:id/turns`. */
export interface PostSessionTurnRequest {
  readonly agent?: AgentOverride;
  /** @default 'none' */
  readonly stream?: StreamMode;
  /** One message of the user, or results and permissions for all the calls that wait for them. */
  readonly messages: readonly ApplicationMessage[];
  /** Replaces the application's tools; holds from then on. */
  readonly tools?: readonly ToolSpec[];
}

/** The answer to {@link PostSessionTurnRequest} in the mode `none`. */
export interface PostSessionTurnResponse {
  readonly stopReason: StopReason;
  readonly messages: readonly AgentMessage[];
  /** An extension. */
  readonly turnId?: string;
  /** Why it is `error`. An extension. */
  readonly error?: TurnError;
  /** Finer than the stop reason: `cancelled`, `shutdown`. An extension. */
  readonly detail?: string;
  /** What was used, as the agent reports it. An extension. */
  readonly usage?: unknown;
}

/** The body of an answer that is no success. */
export interface ErrorBody {
  /** For people. */
  readonly error: string;
  /** A word. An extension. */
  readonly code?: string;
  /** Under which the server logged it. An extension. */
  readonly requestId?: string;
  /** An extension. */
  readonly details?: unknown;
}

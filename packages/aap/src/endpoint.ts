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

/** The protocol version. */
export const protocolVersion = 3;

/** The response to `GET /meta`. */
export interface GetMetaResponse {
  readonly version: typeof protocolVersion;
  readonly agents: readonly AgentInfo[];
  /** Extensions of the server, by name. An extension. */
  readonly extensions?: Readonly<Record<string, Supported>>;
}

/** A session in the responses of `GET /sessions` and `GET /sessions/:id`. */
export interface SessionInfo {
  readonly sessionId: string;
  /** Values of secret options are replaced. */
  readonly agent: AgentConfig;
  /** The application's tools. */
  readonly tools?: readonly ToolSpec[];
  /** A display title; null if there is none. An extension. */
  readonly title?: string | null;
  /** Creation time, ISO 8601. An extension. */
  readonly createdAt?: string;
  /** Time of the last message, ISO 8601. An extension. */
  readonly updatedAt?: string;
  /** The activity of the session. An extension. */
  readonly status?: SessionStatus;
  /** The calls that wait for the application. Not in lists. An extension. */
  readonly pendingToolCalls?: readonly ToolCall[];
}

/** The activity of a session: none, a turn, or waiting for answers to tool calls. */
export type SessionStatus = 'idle' | 'running' | 'waiting';

/** The response to `GET /sessions`. */
export interface GetSessionsResponse {
  readonly sessions: readonly SessionInfo[];
  /** The value of `after` for the next page. Absent on the last page. */
  readonly next?: string;
}

/** The body of `POST /sessions`. */
export interface PostSessionsRequest {
  readonly agent: AgentConfig;
  /** Earlier messages: instructions, a previous conversation. */
  readonly messages?: readonly HistoryMessage[];
  /** The application's tools. */
  readonly tools?: readonly ToolSpec[];
}

/** The response to {@link PostSessionsRequest}. */
export interface PostSessionsResponse {
  readonly sessionId: string;
}

/** The response to `GET /sessions/:id`. */
export type GetSessionResponse = SessionInfo;

/** The response to `GET /sessions/:id/history`: the requested type. */
export interface GetSessionHistoryResponse {
  readonly history: Readonly<Partial<Record<HistoryType, readonly HistoryMessage[]>>>;
}

/** The body of `POST /sessions/:id/turns`. */
export interface PostSessionTurnRequest {
  readonly agent?: AgentOverride;
  /** @default 'none' */
  readonly stream?: StreamMode;
  /** One message of the user, or results and permissions for all calls that wait for them. */
  readonly messages: readonly ApplicationMessage[];
  /** Replaces the application's tools, from this turn on. */
  readonly tools?: readonly ToolSpec[];
}

/** The response to {@link PostSessionTurnRequest} in the mode `none`. */
export interface PostSessionTurnResponse {
  readonly stopReason: StopReason;
  readonly messages: readonly AgentMessage[];
  /** The id of the turn. An extension. */
  readonly turnId?: string;
  /** The failure, if the stop reason is `error`. An extension. */
  readonly error?: TurnError;
  /** More specific than the stop reason: `cancelled`, `shutdown`. An extension. */
  readonly detail?: string;
  /** The usage, as reported by the agent. An extension. */
  readonly usage?: unknown;
}

/** The body of an error response. */
export interface ErrorBody {
  /** A description for people. */
  readonly error: string;
  /** An error code. An extension. */
  readonly code?: string;
  /** The id under which the server logged the request. An extension. */
  readonly requestId?: string;
  /** Additional data. An extension. */
  readonly details?: unknown;
}

import type { AgentConfig, AgentInfo, HistoryType, StreamMode } from './agent-info.ts';
import type { AgentMessage, ApplicationMessage, HistoryMessage } from './message.ts';
import type { ToolSpec } from './tool.ts';
import type { StopReason } from './turn-event.ts';

/** The version of the protocol. */
export const protocolVersion = 3;

/** `GET /meta`. */
export interface GetMetaResponse {
  readonly version: typeof protocolVersion;
  readonly agents: readonly AgentInfo[];
}

/** A session, as `GET /sessions` and `GET /sessions/:id` tell of it. */
export interface SessionInfo {
  readonly sessionId: string;
  /** Values of secret options are replaced. */
  readonly agent: AgentConfig;
  /** The application's tools. */
  readonly tools?: readonly ToolSpec[];
}

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
  /** Replaces the session's tools, and adds to its options; holds from then on. */
  readonly agent?: Omit<AgentConfig, 'name'>;
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
}

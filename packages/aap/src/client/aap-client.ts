import type { Clock } from '@parley/wire';
import type { HistoryType, StreamMode } from '../agent-info.ts';
import type { PostSessionsRequest, PostSessionsResponse, PostSessionTurnRequest } from '../endpoint.ts';
import type {
  ReceivedMessage,
  ReceivedMeta,
  ReceivedSession,
  ReceivedSessions,
  ReceivedTurn,
  ReceivedTurnAnswer,
  ReceivedTurnEvent,
  ReceivedTypes,
} from '../received.ts';
import type { AapClientLimits } from './limits.ts';
import type { Server } from './send.ts';
import type { TurnStream } from './turn-stream.ts';

/** Options of a client. */
export interface AapClientOptions extends Server {
  readonly limits?: Partial<AapClientLimits>;
  /** The clock for delays between attempts. @default the system's clock */
  readonly clock?: Clock;
}

/** Options of each call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of calls that change something. */
export interface PostOptions extends CallOptions {
  /** Requests with the same key are one call, if the server has that extension. */
  readonly idempotencyKey?: string;
}

/** Where to start following a turn. */
export interface FollowOptions extends CallOptions {
  /** The last event that was read. @default all events of the turn */
  readonly lastEventId?: string;
  /** The stream mode. @default the mode of the request */
  readonly stream?: StreamedMode;
}

/** Filters for a list of sessions. */
export interface SessionsQuery {
  /** The cursor from the previous page. */
  readonly after?: string;
  /** Maximum number of sessions per page. An extension. */
  readonly limit?: number;
  /** Only sessions of this agent. An extension. */
  readonly agent?: string;
  /** Only sessions with this status. An extension. */
  readonly status?: string;
}

/** A turn whose result is awaited. */
export type WholeTurnRequest = Omit<PostSessionTurnRequest, 'stream'>;

/** A turn that is streamed. */
export interface StreamedTurnRequest<Mode extends StreamedMode> extends PostSessionTurnRequest {
  readonly stream: Mode;
}

/** The modes that stream a turn. */
export type StreamedMode = Exclude<StreamMode, 'none'>;

/** The name of the event type of each mode. */
export interface StreamedEventNames {
  readonly delta: 'DeltaTurnEvent';
  readonly message: 'MessageTurnEvent';
}

/**
 * A client of an AAP server.
 *
 * Calls reject with AapError if the server rejects the request, with AapClientError if the call failed on the way,
 * and with the reason of the signal if it is aborted.
 */
export interface AapClient {
  getMeta(options?: CallOptions): Promise<ReceivedMeta>;
  /** Returns one page of sessions. */
  getSessions(query?: SessionsQuery, options?: CallOptions): Promise<ReceivedSessions>;
  /** Iterates over all sessions, page by page. */
  listSessions(query?: SessionsQuery, options?: CallOptions): AsyncIterable<ReceivedSession>;
  createSession(request: PostSessionsRequest, options?: PostOptions): Promise<PostSessionsResponse>;
  getSession(sessionId: string, options?: CallOptions): Promise<ReceivedSession>;
  getHistory(
    sessionId: string,
    type: HistoryType,
    options?: CallOptions,
  ): Promise<readonly ReceivedMessage[]>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Runs a turn and returns its result. */
  postTurn(sessionId: string, request: WholeTurnRequest, options?: PostOptions): Promise<ReceivedTurnAnswer>;
  /** Runs a turn and streams it. The signal also applies to the stream. */
  streamTurn<Mode extends StreamedMode>(
    sessionId: string,
    request: StreamedTurnRequest<Mode>,
    options?: PostOptions,
  ): Promise<TurnStream<ReceivedTypes[StreamedEventNames[Mode]]>>;
  /** Returns the turns of a session. An extension. */
  getTurns(sessionId: string, options?: CallOptions): Promise<readonly ReceivedTurn[]>;
  /** Returns a turn. An extension. */
  getTurn(sessionId: string, turnId: string, options?: CallOptions): Promise<ReceivedTurn>;
  /** Replays and follows a turn, from its start or after an event. An extension. */
  followTurn(
    sessionId: string,
    turnId: string,
    options?: FollowOptions,
  ): Promise<TurnStream<ReceivedTurnEvent>>;
  /** Ends a running turn. An extension. */
  cancelTurn(sessionId: string, turnId: string, options?: CallOptions): Promise<void>;
}

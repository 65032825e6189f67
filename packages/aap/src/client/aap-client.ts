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

/** How a client is made. */
export interface AapClientOptions extends Server {
  readonly limits?: Partial<AapClientLimits>;
  /** For waits between attempts. @default the machine's */
  readonly clock?: Clock;
}

/** What each call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What calls take that change something. */
export interface PostOptions extends CallOptions {
  /** The same key with the same request is the same call, where the server has that extension. */
  readonly idempotencyKey?: string;
}

/** From where a turn is followed. */
export interface FollowOptions extends CallOptions {
  /** The event that was read last. @default all events of the turn */
  readonly lastEventId?: string;
  /** The stream mode. @default that of its request */
  readonly stream?: StreamedMode;
}

/** Which sessions are wanted. */
export interface SessionsQuery {
  /** Where the last page ended. */
  readonly after?: string;
  /** How many there are in a page, at most. An extension. */
  readonly limit?: number;
  /** Of one agent only. An extension. */
  readonly agent?: string;
  /** In one status only. An extension. */
  readonly status?: string;
}

/** A turn whose end is waited for. */
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
 * A server of AAP, from the application's side.
 *
 * All calls reject with AapError if the server says no, with AapClientError if they could not be made, and with the
 * signal's reason when that is aborted.
 */
export interface AapClient {
  getMeta(options?: CallOptions): Promise<ReceivedMeta>;
  /** One page of sessions. */
  getSessions(query?: SessionsQuery, options?: CallOptions): Promise<ReceivedSessions>;
  /** All sessions, page by page as they are read. */
  listSessions(query?: SessionsQuery, options?: CallOptions): AsyncIterable<ReceivedSession>;
  createSession(request: PostSessionsRequest, options?: PostOptions): Promise<PostSessionsResponse>;
  getSession(sessionId: string, options?: CallOptions): Promise<ReceivedSession>;
  getHistory(
    sessionId: string,
    type: HistoryType,
    options?: CallOptions,
  ): Promise<readonly ReceivedMessage[]>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Runs a turn, and answers when it has stopped. */
  postTurn(sessionId: string, request: WholeTurnRequest, options?: PostOptions): Promise<ReceivedTurnAnswer>;
  /** Runs a turn and streams it. The signal applies to the stream too. */
  streamTurn<Mode extends StreamedMode>(
    sessionId: string,
    request: StreamedTurnRequest<Mode>,
    options?: PostOptions,
  ): Promise<TurnStream<ReceivedTypes[StreamedEventNames[Mode]]>>;
  /** The turns of a session. An extension. */
  getTurns(sessionId: string, options?: CallOptions): Promise<readonly ReceivedTurn[]>;
  /** An extension. */
  getTurn(sessionId: string, turnId: string, options?: CallOptions): Promise<ReceivedTurn>;
  /** Replays and follows a turn, from its start or after an event. An extension. */
  followTurn(
    sessionId: string,
    turnId: string,
    options?: FollowOptions,
  ): Promise<TurnStream<ReceivedTurnEvent>>;
  /** Ends a turn that goes on. An extension. */
  cancelTurn(sessionId: string, turnId: string, options?: CallOptions): Promise<void>;
}

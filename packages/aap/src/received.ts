import type { AgentInfo, AgentOption } from './agent-info.ts';
import type { ContentBlock } from './content-block.ts';
import type {
  ErrorBody,
  GetMetaResponse,
  GetSessionHistoryResponse,
  GetSessionsResponse,
  PostSessionsResponse,
  PostSessionTurnResponse,
  SessionInfo,
} from './endpoint.ts';
import type { AssistantMessage, SystemMessage, ToolMessage, UserMessage } from './message.ts';
import type {
  StopReason,
  TextDeltaEvent,
  TextEvent,
  ThinkingDeltaEvent,
  ThinkingEvent,
  ToolResultEvent,
  TurnEvent,
  TurnStopEvent,
} from './turn-event.ts';
import type { GetTurnsResponse, Turn } from './turn.ts';

// What a client reads: the types of the protocol, and what a newer server may send in their place.

/** A block of an unknown kind, unchanged. */
export interface UnknownContentBlock {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A received block. */
export type ReceivedContentBlock = ContentBlock | UnknownContentBlock;

/** Received text or blocks. */
export type ReceivedContent = string | readonly ReceivedContentBlock[];

/** A received message with content. */
export type Received<Message> = Omit<Message, 'content'> & { readonly content: ReceivedContent };

/** A message with an unknown role, unchanged. */
export interface UnknownMessage {
  readonly role: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A received message of an agent. */
export type ReceivedAgentMessage = Received<AssistantMessage> | Received<ToolMessage> | UnknownMessage;

/** A received message of a history. */
export type ReceivedMessage = SystemMessage | Received<UserMessage> | ReceivedAgentMessage;

/** The received stop reason of a turn. */
export type ReceivedStopReason = StopReason | (string & {});

/** An event of an unknown kind, unchanged. Its name is `raw.event`. */
export interface UnknownTurnEvent {
  readonly event: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A received result of an agent's call. */
export type ReceivedToolResultEvent = Received<ToolResultEvent>;

/** The received end of a turn. */
export type ReceivedTurnStopEvent = Omit<TurnStopEvent, 'stopReason'> & {
  readonly stopReason: ReceivedStopReason;
};

/** A received event of a turn. */
export type ReceivedTurnEvent =
  | Exclude<TurnEvent, ToolResultEvent | TurnStopEvent>
  | ReceivedToolResultEvent
  | ReceivedTurnStopEvent
  | UnknownTurnEvent;

/** A received event of the mode `delta`. */
export type ReceivedDeltaEvent = Exclude<ReceivedTurnEvent, TextEvent | ThinkingEvent>;

/** A received event of the mode `message`. */
export type ReceivedMessageEvent = Exclude<ReceivedTurnEvent, TextDeltaEvent | ThinkingDeltaEvent>;

/** An option of an unknown kind, unchanged. */
export interface UnknownAgentOption {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The received description of an agent. */
export type ReceivedAgentInfo = Omit<AgentInfo, 'options'> & {
  readonly options?: readonly (AgentOption | UnknownAgentOption)[];
};

/** The received response to `GET /meta`. */
export type ReceivedMeta = Omit<GetMetaResponse, 'agents'> & {
  readonly agents: readonly ReceivedAgentInfo[];
};

/** The received response to `GET /sessions/:id`. */
export type ReceivedSession = Omit<SessionInfo, 'status' | 'title'> & {
  readonly title?: string;
  readonly status?: string;
};

/** The received page of `GET /sessions`. */
export type ReceivedSessions = Omit<GetSessionsResponse, 'sessions'> & {
  readonly sessions: readonly ReceivedSession[];
};

/** The received response to `GET /sessions/:id/history`. */
export interface ReceivedHistory {
  readonly history: Readonly<
    Partial<Record<keyof GetSessionHistoryResponse['history'], readonly ReceivedMessage[]>>
  >;
}

/** The received result of a turn in the mode `none`. */
export type ReceivedTurnAnswer = Omit<PostSessionTurnResponse, 'stopReason' | 'messages'> & {
  readonly stopReason: ReceivedStopReason;
  readonly messages: readonly ReceivedAgentMessage[];
};

/** A received turn. */
export type ReceivedTurn = Omit<Turn, 'status' | 'stopReason'> & {
  readonly status: string;
  readonly stopReason?: ReceivedStopReason;
};

/** The received response to `GET /sessions/:id/turns`. */
export type ReceivedTurns = Omit<GetTurnsResponse, 'turns'> & { readonly turns: readonly ReceivedTurn[] };

/** All received types, by schema name. */
export interface ReceivedTypes {
  readonly GetMetaResponse: ReceivedMeta;
  readonly SessionInfo: ReceivedSession;
  readonly GetSessionsResponse: ReceivedSessions;
  readonly PostSessionsResponse: PostSessionsResponse;
  readonly GetSessionHistoryResponse: ReceivedHistory;
  readonly PostSessionTurnResponse: ReceivedTurnAnswer;
  readonly ErrorBody: ErrorBody;
  readonly Turn: ReceivedTurn;
  readonly GetTurnsResponse: ReceivedTurns;
  readonly TurnEvent: ReceivedTurnEvent;
  readonly DeltaTurnEvent: ReceivedDeltaEvent;
  readonly MessageTurnEvent: ReceivedMessageEvent;
}

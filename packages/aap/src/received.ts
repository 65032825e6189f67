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

/** A block of a kind we do not know, as it came. */
export interface UnknownContentBlock {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A block that a server sent. */
export type ReceivedContentBlock = ContentBlock | UnknownContentBlock;

/** Text or blocks that a server sent. */
export type ReceivedContent = string | readonly ReceivedContentBlock[];

/** A message with content that a server sent. */
export type Received<Message> = Omit<Message, 'content'> & { readonly content: ReceivedContent };

/** A message with a role we do not know, as it came. */
export interface UnknownMessage {
  readonly role: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A message of an agent, sent by a server. */
export type ReceivedAgentMessage = Received<AssistantMessage> | Received<ToolMessage> | UnknownMessage;

/** A message of a history, sent by a server. */
export type ReceivedMessage = SystemMessage | Received<UserMessage> | ReceivedAgentMessage;

/** Why a turn ended, in the server's words. */
export type ReceivedStopReason = StopReason | (string & {});

/** An event we do not know, as it came. Its name is `raw.event`. */
export interface UnknownTurnEvent {
  readonly event: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** What came of a call of the agent's own, as a server sends it. */
export type ReceivedToolResultEvent = Received<ToolResultEvent>;

/** The end of a turn, as a server sends it. */
export type ReceivedTurnStopEvent = Omit<TurnStopEvent, 'stopReason'> & {
  readonly stopReason: ReceivedStopReason;
};

/** An event of a turn that a server sent. */
export type ReceivedTurnEvent =
  | Exclude<TurnEvent, ToolResultEvent | TurnStopEvent>
  | ReceivedToolResultEvent
  | ReceivedTurnStopEvent
  | UnknownTurnEvent;

/** An event of the mode `delta` that a server sent. */
export type ReceivedDeltaEvent = Exclude<ReceivedTurnEvent, TextEvent | ThinkingEvent>;

/** An event of the mode `message` that a server sent. */
export type ReceivedMessageEvent = Exclude<ReceivedTurnEvent, TextDeltaEvent | ThinkingDeltaEvent>;

/** An option of a kind we do not know, as it came. */
export interface UnknownAgentOption {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** What a server says of an agent. */
export type ReceivedAgentInfo = Omit<AgentInfo, 'options'> & {
  readonly options?: readonly (AgentOption | UnknownAgentOption)[];
};

/** `GET /meta`, as a server answers it. */
export type ReceivedMeta = Omit<GetMetaResponse, 'agents'> & {
  readonly agents: readonly ReceivedAgentInfo[];
};

/** `GET /sessions/:id`, as a server answers it. */
export type ReceivedSession = Omit<SessionInfo, 'status' | 'title'> & {
  readonly title?: string;
  readonly status?: string;
};

/** A page of `GET /sessions`, as a server answers it. */
export type ReceivedSessions = Omit<GetSessionsResponse, 'sessions'> & {
  readonly sessions: readonly ReceivedSession[];
};

/** `GET /sessions/:id/history`, as a server answers it. */
export interface ReceivedHistory {
  readonly history: Readonly<
    Partial<Record<keyof GetSessionHistoryResponse['history'], readonly ReceivedMessage[]>>
  >;
}

/** The answer to a turn in the mode `none`, as a server gives it. */
export type ReceivedTurnAnswer = Omit<PostSessionTurnResponse, 'stopReason' | 'messages'> & {
  readonly stopReason: ReceivedStopReason;
  readonly messages: readonly ReceivedAgentMessage[];
};

/** A turn, as a server returns it. */
export type ReceivedTurn = Omit<Turn, 'status' | 'stopReason'> & {
  readonly status: string;
  readonly stopReason?: ReceivedStopReason;
};

/** `GET /sessions/:id/turns`, as a server answers it. */
export type ReceivedTurns = Omit<GetTurnsResponse, 'turns'> & { readonly turns: readonly ReceivedTurn[] };

/** What a client reads, each under the name of its schema. */
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

export { Invalid } from '@parley/wire';
export type {
  AgentCapabilities,
  AgentConfig,
  AgentInfo,
  AgentOption,
  AgentOptionBase,
  AgentOverride,
  HistoryType,
  OptionValues,
  SecretAgentOption,
  SelectAgentOption,
  StreamMode,
  Supported,
  TextAgentOption,
} from './agent-info.ts';
export type { AapTypes } from './aap-types.ts';
export type {
  AapClient,
  AapClientOptions,
  CallOptions,
  FollowOptions,
  PostOptions,
  SessionsQuery,
  StreamedEventNames,
  StreamedMode,
  StreamedTurnRequest,
  WholeTurnRequest,
} from './client/aap-client.ts';
export {
  AapClientError,
  AapError,
  StreamInterrupted,
  type AapClientErrorCode,
  type AapErrorOptions,
  type InterruptedTurn,
} from './client/aap-error.ts';
export { createAapClient } from './client/create-aap-client.ts';
export { defaultClientLimits, type AapClientLimits } from './client/limits.ts';
export {
  collectMessages,
  findOpenCalls,
  MessageCollector,
  type OpenCall,
} from './client/message-collector.ts';
export {
  answerCalls,
  runTurn,
  type CallContext,
  type PermissionAnswer,
  type RunTurnOptions,
  type ToolHandler,
  type TurnEnd,
} from './client/run-turn.ts';
export type { Server } from './client/send.ts';
export { toTurnEvents } from './client/to-turn-events.ts';
export type { TurnStream } from './client/turn-stream.ts';
export type {
  Content,
  ContentBlock,
  ImageContentBlock,
  TextContentBlock,
  ThinkingContentBlock,
  ToolUseContentBlock,
} from './content-block.ts';
export { protocolVersion } from './endpoint.ts';
export type {
  ErrorBody,
  GetMetaResponse,
  GetSessionHistoryResponse,
  GetSessionResponse,
  GetSessionsResponse,
  PostSessionsRequest,
  PostSessionsResponse,
  PostSessionTurnRequest,
  PostSessionTurnResponse,
  SessionInfo,
  SessionStatus,
} from './endpoint.ts';
export type {
  AgentMessage,
  ApplicationMessage,
  AssistantMessage,
  HistoryMessage,
  SystemMessage,
  ToolMessage,
  ToolPermissionMessage,
  UserMessage,
} from './message.ts';
export { messageText } from './message-text.ts';
export type {
  Received,
  ReceivedAgentInfo,
  ReceivedAgentMessage,
  ReceivedContent,
  ReceivedContentBlock,
  ReceivedDeltaEvent,
  ReceivedHistory,
  ReceivedMessage,
  ReceivedMessageEvent,
  ReceivedMeta,
  ReceivedSession,
  ReceivedSessions,
  ReceivedStopReason,
  ReceivedToolResultEvent,
  ReceivedTurn,
  ReceivedTurnAnswer,
  ReceivedTurnEvent,
  ReceivedTurns,
  ReceivedTurnStopEvent,
  ReceivedTypes,
  UnknownAgentOption,
  UnknownContentBlock,
  UnknownMessage,
  UnknownTurnEvent,
} from './received.ts';
export type { DefinitionName } from './schema/definitions.ts';
export { jsonSchema, type SchemaDocument } from './schema/json-schema.ts';
export { parseStrict, parseTolerant } from './schema/parse.ts';
export type { Schema, SchemaReference, SchemaType } from './schema/schema.ts';
export type {
  JsonSchema,
  Meta,
  MetaValues,
  ServerToolRef,
  ToolCall,
  ToolCallInput,
  ToolSpec,
} from './tool.ts';
export type { ResultMeta, ToolResult } from './tool-result.ts';
export type { GetTurnsResponse, Turn, TurnStatus } from './turn.ts';
export type {
  DeltaTurnEvent,
  MessageTurnEvent,
  StopReason,
  TextDeltaEvent,
  TextEvent,
  ThinkingDeltaEvent,
  ThinkingEvent,
  ToolCallEvent,
  ToolResultEvent,
  TurnError,
  TurnEvent,
  TurnStartEvent,
  TurnStopEvent,
} from './turn-event.ts';

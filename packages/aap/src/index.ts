export type {
  AgentCapabilities,
  AgentConfig,
  AgentInfo,
  AgentOption,
  AgentOptionBase,
  HistoryType,
  SecretAgentOption,
  SelectAgentOption,
  StreamMode,
  Supported,
  TextAgentOption,
} from './agent-info.ts';
export type {
  ContentBlock,
  ImageContentBlock,
  TextContentBlock,
  ThinkingContentBlock,
  ToolUseContentBlock,
} from './content-block.ts';
export { protocolVersion } from './endpoint.ts';
export type {
  GetMetaResponse,
  GetSessionHistoryResponse,
  GetSessionResponse,
  GetSessionsResponse,
  PostSessionsRequest,
  PostSessionsResponse,
  PostSessionTurnRequest,
  PostSessionTurnResponse,
  SessionInfo,
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
export type { JsonSchema, ServerToolRef, ToolCall, ToolCallInput, ToolResult, ToolSpec } from './tool.ts';
export type {
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

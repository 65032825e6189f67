import type {
  AgentCapabilities,
  AgentConfig,
  AgentInfo,
  AgentOption,
  AgentOverride,
  HistoryType,
  OptionValues,
  SecretAgentOption,
  SelectAgentOption,
  StreamMode,
  Supported,
  TextAgentOption,
} from './agent-info.ts';
import type {
  Content,
  ContentBlock,
  ImageContentBlock,
  TextContentBlock,
  ThinkingContentBlock,
  ToolUseContentBlock,
} from './content-block.ts';
import type {
  ErrorBody,
  GetMetaResponse,
  GetSessionHistoryResponse,
  GetSessionsResponse,
  PostSessionsRequest,
  PostSessionsResponse,
  PostSessionTurnRequest,
  PostSessionTurnResponse,
  SessionInfo,
  SessionStatus,
} from './endpoint.ts';
import type {
  AgentMessage,
  ApplicationMessage,
  AssistantMessage,
  HistoryMessage,
  SystemMessage,
  ToolMessage,
  ToolPermissionMessage,
  UserMessage,
} from './message.ts';
import type { ToolResult } from './tool-result.ts';
import type { JsonSchema, MetaValues, ServerToolRef, ToolCall, ToolCallInput, ToolSpec } from './tool.ts';
import type {
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
import type { GetTurnsResponse, Turn, TurnStatus } from './turn.ts';

/** All types of the protocol by schema name. */
export interface AapTypes {
  readonly AgentInfo: AgentInfo;
  readonly AgentOption: AgentOption;
  readonly TextAgentOption: TextAgentOption;
  readonly SecretAgentOption: SecretAgentOption;
  readonly SelectAgentOption: SelectAgentOption;
  readonly AgentConfig: AgentConfig;
  readonly AgentOverride: AgentOverride;
  readonly OptionValues: OptionValues;
  readonly HistoryType: HistoryType;
  readonly StreamMode: StreamMode;
  readonly Supported: Supported;
  readonly AgentCapabilities: AgentCapabilities;
  readonly Content: Content;
  readonly ContentBlock: ContentBlock;
  readonly TextContentBlock: TextContentBlock;
  readonly ThinkingContentBlock: ThinkingContentBlock;
  readonly ToolUseContentBlock: ToolUseContentBlock;
  readonly ImageContentBlock: ImageContentBlock;
  readonly MetaValues: MetaValues;
  readonly JsonSchema: JsonSchema;
  readonly ToolSpec: ToolSpec;
  readonly ServerToolRef: ServerToolRef;
  readonly ToolCallInput: ToolCallInput;
  readonly ToolCall: ToolCall;
  readonly ToolResult: ToolResult;
  readonly SystemMessage: SystemMessage;
  readonly UserMessage: UserMessage;
  readonly AssistantMessage: AssistantMessage;
  readonly ToolMessage: ToolMessage;
  readonly ToolPermissionMessage: ToolPermissionMessage;
  readonly HistoryMessage: HistoryMessage;
  readonly AgentMessage: AgentMessage;
  readonly ApplicationMessage: ApplicationMessage;
  readonly StopReason: StopReason;
  readonly TurnError: TurnError;
  readonly TurnStartEvent: TurnStartEvent;
  readonly TextDeltaEvent: TextDeltaEvent;
  readonly ThinkingDeltaEvent: ThinkingDeltaEvent;
  readonly TextEvent: TextEvent;
  readonly ThinkingEvent: ThinkingEvent;
  readonly ToolCallEvent: ToolCallEvent;
  readonly ToolResultEvent: ToolResultEvent;
  readonly TurnStopEvent: TurnStopEvent;
  readonly TurnEvent: TurnEvent;
  readonly DeltaTurnEvent: DeltaTurnEvent;
  readonly MessageTurnEvent: MessageTurnEvent;
  readonly GetMetaResponse: GetMetaResponse;
  readonly SessionStatus: SessionStatus;
  readonly SessionInfo: SessionInfo;
  readonly GetSessionsResponse: GetSessionsResponse;
  readonly PostSessionsRequest: PostSessionsRequest;
  readonly PostSessionsResponse: PostSessionsResponse;
  readonly GetSessionHistoryResponse: GetSessionHistoryResponse;
  readonly PostSessionTurnRequest: PostSessionTurnRequest;
  readonly PostSessionTurnResponse: PostSessionTurnResponse;
  readonly ErrorBody: ErrorBody;
  readonly TurnStatus: TurnStatus;
  readonly Turn: Turn;
  readonly GetTurnsResponse: GetTurnsResponse;
}

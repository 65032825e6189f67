export { AgentError } from './agent-error.ts';
export type { AgentErrorCode } from './agent-error.ts';
export { createCodingAgent } from './coding-agent.ts';
export type { CodingAgentOptions } from './coding-agent.ts';
export type { Dialect } from './dialect.ts';
export type {
  Clock,
  CommandOptions,
  CommandResult,
  CommandSandbox,
  ConnectMcpOptions,
  Environment,
  ProtectedFile,
  UserInstructions,
} from './environment.ts';
export type { FetchRequest, FetchResponse } from './fetch.ts';
export type {
  ChangeOptions,
  Files,
  GlobOptions,
  GlobResult,
  Listing,
  ListingEntry,
  OldText,
  ReadBytes,
  ReadBytesOptions,
  ReadText,
  ReadTextOptions,
  SearchMatch,
  SearchOptions,
  SearchResult,
  SeenFile,
} from './files.ts';
export { defaultLimits } from './limits.ts';
export type { AgentLimits } from './limits.ts';
export type { McpCall, McpConnection, McpResult, McpToolInfo } from './mcp/mcp-connection.ts';
export { openMcpTools } from './mcp/mcp-tools.ts';
export type { LentTool, McpTools, McpToolsOptions } from './mcp/mcp-tools.ts';
export type { ImageType, ModelImage } from './model/image.ts';
export type {
  Model,
  ModelContext,
  ModelMessage,
  ModelNotice,
  ModelPart,
  ModelReasoning,
  ModelRequest,
  ModelStopReason,
  ModelTool,
  ModelToolCall,
  ModelToolResult,
  ProviderData,
  RepeatablePart,
  SummaryRequest,
} from './model/model.ts';
export { singleModel, unknownModel, unknownProvider } from './model/models.ts';
export type { Models, ConversationModels } from './model/models.ts';
export { createOfflineModel } from './model/offline/offline-model.ts';
export type { Providers } from './model/providers.ts';
export type { RuleBook } from './permission/rule-book.ts';
export type {
  ConversationRecord,
  DisplayRecord,
  TurnUsage,
} from './conversation/record/conversation-record.ts';
export type {
  ConversationEntry,
  ConversationLog,
  ConversationMarks,
  ConversationStore,
  PeekAnswer,
} from './conversation/record/conversation-store.ts';
export type { TranscriptChange } from './conversation/transcript.ts';
export type { ResumeDirective } from './conversation/resume-once.ts';
export type { ConversationNotice } from './conversation/conversation-notice.ts';
export type { RunningCall, ToolOutput } from './tools/tool.ts';

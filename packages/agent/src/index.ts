export { createCodingAgent } from './coding-agent.ts';
export type { CodingAgentOptions } from './coding-agent.ts';
export type { Dialect } from './dialect.ts';
export type { Clock, CommandOptions, CommandResult, Environment, UserInstructions } from './environment.ts';
export type {
  Files,
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
} from './files.ts';
export { defaultLimits } from './limits.ts';
export type { AgentLimits } from './limits.ts';
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
} from './model/model.ts';
export { singleModel, unknownProvider } from './model/models.ts';
export type { Models, ConversationModels } from './model/models.ts';
export { createOfflineModel } from './model/offline/offline-model.ts';
export type { Providers } from './model/providers.ts';
export type { RuleBook } from './permission/rule-book.ts';
export type { ConversationRecord } from './conversation/record/conversation-record.ts';
export type {
  ConversationEntry,
  ConversationLog,
  ConversationMarks,
  ConversationStore,
} from './conversation/record/conversation-store.ts';
export type { ResumeDirective } from './conversation/resume-once.ts';

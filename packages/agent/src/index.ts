export { createCodingAgent } from './coding-agent.ts';
export type { CodingAgentOptions } from './coding-agent.ts';
export type { Clock, CommandOptions, CommandResult, Environment } from './environment.ts';
export type {
  Files,
  Listing,
  ListingEntry,
  OldText,
  ReadText,
  ReadTextOptions,
  SearchMatch,
  SearchOptions,
  SearchResult,
} from './files.ts';
export { defaultLimits } from './limits.ts';
export type { AgentLimits } from './limits.ts';
export type {
  Model,
  ModelMessage,
  ModelNotice,
  ModelPart,
  ModelRequest,
  ModelStopReason,
  ModelTool,
  ModelToolCall,
  ModelToolResult,
  RepeatablePart,
} from './model/model.ts';
export { createOfflineModel } from './model/offline/offline-model.ts';

import type { Content } from './content-block.ts';
import type { ResultMeta, ToolResult } from './tool-result.ts';

/** Instructions for the agent. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/** A message of the application's user. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: Content;
}

/** A message of the agent, with its calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: Content;
}

/** The result of a tool call. */
export interface ToolMessage extends ToolResult, ResultMeta {
  readonly role: 'tool';
}

/** The permission for a call that the agent asked about. Part of requests, never of a history. */
export interface ToolPermissionMessage {
  readonly role: 'tool_permission';
  readonly toolCallId: string;
  readonly granted: boolean;
  /** Most useful with a denial. */
  readonly reason?: string;
  /** The chosen option in the call's `_meta`. An extension. */
  readonly optionId?: string;
}

/** A message of a history. */
export type HistoryMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A message from an agent. */
export type AgentMessage = AssistantMessage | ToolMessage;

/** A message that an application sends for a turn. */
export type ApplicationMessage = UserMessage | ToolMessage | ToolPermissionMessage;

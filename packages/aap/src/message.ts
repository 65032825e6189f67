import type { Content } from './content-block.ts';
import type { ResultMeta, ToolResult } from './tool-result.ts';

/** Instructions for the agent. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/** What the application's user says. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: Content;
}

/** What the agent says and calls. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: Content;
}

/** What came of a tool call. */
export interface ToolMessage extends ToolResult, ResultMeta {
  readonly role: 'tool';
}

/** Whether the agent may make a call of its own that it asked about. Part of requests, never of a history. */
export interface ToolPermissionMessage {
  readonly role: 'tool_permission';
  readonly toolCallId: string;
  readonly granted: boolean;
  /** Most useful when it is not granted. */
  readonly reason?: string;
  /** Which of the choices in the call's `_meta` was taken. An extension. */
  readonly optionId?: string;
}

/** What a history holds. */
export type HistoryMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** What an agent produces. */
export type AgentMessage = AssistantMessage | ToolMessage;

/** What an application sends for a turn. */
export type ApplicationMessage = UserMessage | ToolMessage | ToolPermissionMessage;

import type { Meta, ToolCall } from './tool.ts';

/** Text, or blocks. */
export type Content = string | readonly ContentBlock[];

/** A block of a message. */
export type ContentBlock = TextContentBlock | ThinkingContentBlock | ToolUseContentBlock | ImageContentBlock;

/** Text. */
export interface TextContentBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What the model thought before it answered. */
export interface ThinkingContentBlock {
  readonly type: 'thinking';
  readonly thinking: string;
}

/** A tool call of the agent. */
export interface ToolUseContentBlock extends ToolCall, Meta {
  readonly type: 'tool_use';
}

/** An image. */
export interface ImageContentBlock {
  readonly type: 'image';
  /** An `https://` URL, or a `data:` URI in base64. */
  readonly url: string;
}

import type { Meta, ToolCall } from './tool.ts';

/** The content of a message: text or blocks. */
export type Content = string | readonly ContentBlock[];

/** A block of a message. */
export type ContentBlock = TextContentBlock | ThinkingContentBlock | ToolUseContentBlock | ImageContentBlock;

/** A block of text. */
export interface TextContentBlock {
  readonly type: 'text';
  readonly text: string;
}

/** Thoughts of the model before its response. */
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

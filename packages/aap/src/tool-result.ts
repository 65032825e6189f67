import type { Content } from './content-block.ts';
import type { Meta } from './tool.ts';

/** The result of a call. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly content: Content;
}

/** Metadata of a result. An extension. */
export interface ResultMeta extends Meta {
  /** Whether the tool failed. @default false */
  readonly isError?: boolean;
}

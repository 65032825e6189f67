import type { Content } from './content-block.ts';
import type { Meta } from './tool.ts';

/** What came of a call. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly content: Content;
}

/** What goes along with a result. An extension. */
export interface ResultMeta extends Meta {
  /** The tool failed. @default false */
  readonly isError?: boolean;
}

import type { ContentBlock, SessionUpdate } from '@parley/acp';
import type { ConversationChange } from '../conversation.ts';

/** The version of the records below, for the head of a session's log. */
export const sessionRecordVersion = 1;

/** One entry in the log of a session. The first one is `session`; a turn goes from `prompt` to `end`. */
export type SessionRecord =
  | {
      readonly type: 'session';
      readonly id: string;
      readonly time: string;
      readonly cwd: string;
      readonly directories: readonly string[];
      readonly modeId: string;
      /** The model it began with, as `provider/model`; absent in sessions of earlier versions. */
      readonly modelId?: string;
      /** Fingerprint of the MCP servers. */
      readonly mcpServers: string;
    }
  | { readonly type: 'directories'; readonly directories: readonly string[] }
  | { readonly type: 'mode'; readonly modeId: string }
  /** A config option that was set. */
  | { readonly type: 'option'; readonly id: string; readonly value: string }
  | { readonly type: 'servers'; readonly mcpServers: string }
  /** Stands before the first prompt; without a title when that had no text. */
  | { readonly type: 'title'; readonly title?: string }
  | {
      readonly type: 'prompt';
      readonly time: string;
      /** How often the session was resumed before, so that ids differ from those of then. */
      readonly opening: number;
      readonly content: readonly ContentBlock[];
    }
  /** What the client was shown, as often as it was. */
  | { readonly type: 'update'; readonly update: SessionUpdate; readonly times?: number }
  /** Tool calls of a step that had too many of them to keep. */
  | { readonly type: 'left-out'; readonly calls: number }
  /** What the model reads from here on. */
  | ConversationChange
  | ({ readonly type: 'end'; readonly time: string; readonly stopReason: string } & TurnUsage);

/** What is known of a session's usage at the end of a turn. */
export interface TurnUsage {
  readonly usedTokens: number;
  /** Of the whole session, where it is known. */
  readonly costUsd?: number;
}

const types: ReadonlySet<unknown> = new Set<SessionRecord['type']>([
  'session',
  'directories',
  'mode',
  'option',
  'servers',
  'title',
  'prompt',
  'update',
  'left-out',
  'message',
  'clear',
  'compaction',
  'end',
]);

/**
 * Whether this is one of our records. The log has a version and each line a checksum: what has a type of ours was
 * written by this code, so that its fields need no second look.
 */
export function isSessionRecord(value: unknown): value is SessionRecord {
  return typeof value === 'object' && value !== null && 'type' in value && types.has(value.type);
}

import type { ContentBlock, SessionUpdate } from '@parley/acp';
import type { TranscriptChange } from '../transcript.ts';

/** The version of the records below, for the head of a conversation's log. */
export const conversationRecordVersion = 1;

/** One entry in the log of a conversation. The first one is `session`; a turn starts with `prompt` and ends with `end`. */
export type ConversationRecord =
  | {
      readonly type: 'session';
      readonly id: string;
      readonly time: string;
      readonly cwd: string;
      readonly directories: readonly string[];
      readonly modeId: string;
      /** The initial model, as `provider/model`; absent in conversations of earlier versions. */
      readonly modelId?: string;
      /** Fingerprint of the MCP servers. */
      readonly mcpServers: string;
    }
  | { readonly type: 'directories'; readonly directories: readonly string[] }
  | { readonly type: 'mode'; readonly modeId: string }
  /** A changed config option. */
  | { readonly type: 'option'; readonly id: string; readonly value: string }
  | { readonly type: 'servers'; readonly mcpServers: string }
  /** Precedes the first prompt; without a title if the prompt has no text. */
  | { readonly type: 'title'; readonly title?: string }
  | {
      readonly type: 'prompt';
      readonly time: string;
      /** How often the conversation was resumed, so that new ids differ from earlier ones. */
      readonly opening: number;
      readonly content: readonly ContentBlock[];
    }
  /** A prompt that the client sent into the running turn. */
  | { readonly type: 'steered'; readonly content: readonly ContentBlock[] }
  | DisplayRecord
  /** A change of what the model receives from here on. */
  | TranscriptChange
  | ({ readonly type: 'end'; readonly time: string; readonly stopReason: string } & TurnUsage);

/** An entry about what was displayed; of a sub-agent's session, if it names one. */
export type DisplayRecord = { readonly subagent?: string } &
  /** An update that the client received, and how often. */
  (
    | { readonly type: 'update'; readonly update: SessionUpdate; readonly times?: number }
    /** The number of tool calls of a step that were not stored. */
    | { readonly type: 'left-out'; readonly calls: number }
  );

/** The usage of a conversation at the end of a turn. */
export interface TurnUsage {
  readonly usedTokens: number;
  /** The cost of the whole conversation, if known. */
  readonly costUsd?: number;
}

const types: ReadonlySet<unknown> = new Set<ConversationRecord['type']>([
  'session',
  'directories',
  'mode',
  'option',
  'servers',
  'title',
  'prompt',
  'steered',
  'update',
  'left-out',
  'message',
  'clear',
  'compaction',
  'end',
]);

/**
 * Whether a value is one of our records. The log has a version and each line a checksum, so that a record with a
 * known type needs no further validation.
 */
export function isConversationRecord(value: unknown): value is ConversationRecord {
  return typeof value === 'object' && value !== null && 'type' in value && types.has(value.type);
}

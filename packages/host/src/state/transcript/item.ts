import type {
  CompactionStatus,
  ContentBlock,
  ContentChunk,
  Notice,
  PermissionOption,
  ToolCallUpdate,
} from '@parley/acp';
import type { DiagnosticEvent } from '../../event/diagnostic-event.ts';
import type { EventStamp } from '../../event/logged-event.ts';
import type { DecisionReason } from '../../permission/reason.ts';

/** One thing a user sees of a session, in the order it began. */
export type Item =
  | MessageItem
  | ToolCallItem
  | QuestionItem
  | NoticeItem
  | CompactionItem
  | FileWriteItem
  | DiagnosticItem
  | InterruptionItem
  | AgentEndItem
  | RecoveryItem
  | OmissionItem
  | UnknownItem;

/** What each {@link Item} has. */
export interface ItemBase {
  /** The number of the event it began with. */
  readonly seq: number;
  /** When it began, in milliseconds since 1970. */
  readonly time: number;
  /** The turn it is part of. */
  readonly turnId?: string;
}

/** Who speaks, or thinks. */
export type MessageRole = 'user' | 'agent' | 'thought';

/** A message, as far as it has come. */
export interface MessageItem extends ItemBase {
  readonly kind: 'message';
  readonly role: MessageRole;
  readonly messageId?: string;
  /** Pieces of text that follow each other are one block. */
  readonly blocks: readonly ContentBlock[];
  /** When its last piece came, if it came in pieces. */
  readonly lastTime?: number;
  /** Pieces that are left out because the message is too long to be shown; the event log has them. */
  readonly cutPieces?: number;
}

/** A tool call, with all that is known of it. */
export interface ToolCallItem extends ItemBase {
  readonly kind: 'tool-call';
  readonly toolCallId: string;
  /** What its `tool_call`, its permission requests and its updates said, the later ones over the earlier ones. */
  readonly call: ToolCallUpdate;
  /** When it was first said to be in progress, or was decided about: waiting for a user is no part of the work. */
  readonly startedAt?: number;
  /** When it was said to be finished. */
  readonly endedAt?: number;
  /** Its turn ended, or the agent was gone, before the call was finished: what it did is not known. */
  readonly outcome?: 'unknown';
  /** The last permission that was asked for it. */
  readonly permission?: PermissionState;
}

/** A permission that was asked for, and what became of it. */
export interface PermissionState {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  /** The call shows nothing of what it would do. */
  readonly opaque?: true;
  /** Absent while it is open. */
  readonly answer?: {
    readonly decision: string;
    readonly by: string;
    /** Which user, where several may answer. */
    readonly person?: string;
    readonly reason: string;
    /** The same for other words, where it is known how to say it. */
    readonly because?: DecisionReason;
  };
}

/** A question of the agent's. */
export interface QuestionItem extends ItemBase {
  readonly kind: 'question';
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  readonly toolCallId?: string;
  /** Absent while it is open. What was answered is not kept. */
  readonly answer?: { readonly action: string; readonly by: string; readonly person?: string };
}

/** A notice of the agent's, which is no part of the conversation. */
export interface NoticeItem extends ItemBase {
  readonly kind: 'notice';
  readonly notice: Notice;
}

/** A compaction of the agent's context. */
export interface CompactionItem extends ItemBase {
  readonly kind: 'compaction';
  readonly compactionId: string;
  readonly status: CompactionStatus;
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** A file the agent wrote through the client; what it held before and after is in the event log. */
export interface FileWriteItem extends ItemBase {
  readonly kind: 'file-write';
  readonly toolCallId: string;
  readonly path: string;
  readonly isNew: boolean;
}

/** Something odd that was survived. */
export interface DiagnosticItem extends ItemBase {
  readonly kind: 'diagnostic';
  readonly level: DiagnosticEvent['level'];
  readonly code: string;
  readonly message: string;
}

/** The program that kept the session was ended in the middle. */
export interface InterruptionItem extends ItemBase {
  readonly kind: 'interruption';
  /** Whether something of the event log itself was lost. */
  readonly isLossy: boolean;
}

/** The agent ended by itself. */
export interface AgentEndItem extends ItemBase {
  readonly kind: 'agent-end';
  readonly exitCode?: number;
  readonly signal?: string;
}

/** The session is open again with an agent that was started again. */
export interface RecoveryItem extends ItemBase {
  readonly kind: 'recovery';
  /** Continued, with its history replayed, or not at all: a new one was begun, which knows nothing of it. */
  readonly by: 'resume' | 'load' | 'new';
}

/** Something that is not stored: it was too large, or the disk was full for too long. */
export interface OmissionItem extends ItemBase {
  readonly kind: 'omission';
  readonly of: string;
}

/** Something this version does not know, as it came. */
export interface UnknownItem extends ItemBase {
  readonly kind: 'unknown';
  readonly raw: unknown;
}

/** A chunk of a message, as it came. */
export interface Chunk {
  readonly role: MessageRole;
  readonly chunk: ContentChunk;
  readonly stamp: EventStamp;
}

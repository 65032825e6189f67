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

/** An item of the transcript. Items are in the order in which they started. */
export type Item =
  | MessageItem
  | ToolCallItem
  | QuestionItem
  | NoticeItem
  | CompactionItem
  | SubagentItem
  | SessionMessageItem
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
  /**
   * Set if a user sent the message into a running turn. `sent`: the agent has not answered yet; `queued`: the agent
   * did not accept it, and its own turn shows it; `unknown`: the agent may not have received it.
   */
  readonly steering?: 'sent' | 'steered' | 'queued' | 'unknown';
  /** Pieces of text that follow each other are one block. */
  readonly blocks: readonly ContentBlock[];
  /** Time of the last chunk, if it arrived in chunks. */
  readonly lastTime?: number;
  /** Pieces that are left out because the message is too long to be shown; the event log has them. */
  readonly cutPieces?: number;
}

/** A tool call, with all known fields. */
export interface ToolCallItem extends ItemBase {
  readonly kind: 'tool-call';
  readonly toolCallId: string;
  /**
   * The merged fields of its `tool_call`, its permission requests and its updates; later ones override earlier ones.
   */
  readonly call: ToolCallUpdate;
  /** When it was first said to be in progress, or was decided about: waiting for a user is no part of the work. */
  readonly startedAt?: number;
  /** When it was said to be finished. */
  readonly endedAt?: number;
  /** The turn ended, or the agent exited, before the call finished: its outcome is unknown. */
  readonly outcome?: 'unknown';
  /** The last permission that was asked for it. */
  readonly permission?: PermissionState;
}

/** A permission request, and its outcome. */
export interface PermissionState {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  /** The call does not show what it would do. */
  readonly opaque?: true;
  /** The call is a connection of a program in the sandbox: no update follows the answer. */
  readonly isConnection?: true;
  /** Absent while it is open. */
  readonly answer?: {
    readonly decision: string;
    readonly by: string;
    /** Which user, where several may answer. */
    readonly person?: string;
    readonly reason: string;
    /** The same reason as data, for translation, if it is a known one. */
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
  /** Absent while it is open. */
  readonly answer?: {
    readonly action: string;
    readonly by: string;
    readonly person?: string;
    /** The answers: choices by their labels, and typed text, without secrets. */
    readonly chosen?: readonly string[];
  };
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

/** A sub-agent was announced; what it does is in the state of the session. */
export interface SubagentItem extends ItemBase {
  readonly kind: 'subagent';
  readonly sessionId: string;
}

/** A message from one session to another: the prompt of a sub-agent, or its answer. */
export interface SessionMessageItem extends ItemBase {
  readonly kind: 'session-message';
  readonly messageId: string;
  /** The sessions as the agent calls them. */
  readonly sender?: string;
  readonly recipient?: string;
  readonly blocks: readonly ContentBlock[];
  readonly cutPieces?: number;
}

/** A file that the agent wrote through the client. Its content before and after is in the event log. */
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
  /** Whether events of the event log were lost. */
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
  /**
   * How the session was continued: with a replay of its history, without, or as a new agent session that knows
   * nothing of it.
   */
  readonly by: 'resume' | 'load' | 'new';
}

/** Something that is not stored: it was too large, or the disk was full for too long. */
export interface OmissionItem extends ItemBase {
  readonly kind: 'omission';
  readonly of: string;
}

/** An unmodified event that this version does not know. */
export interface UnknownItem extends ItemBase {
  readonly kind: 'unknown';
  readonly raw: unknown;
}

/** An unmodified chunk of a message. */
export interface Chunk {
  readonly role: MessageRole;
  readonly chunk: ContentChunk;
  readonly stamp: EventStamp;
}

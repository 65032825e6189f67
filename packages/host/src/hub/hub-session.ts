import type { ContentBlock } from '@parley/acp';
import type { SessionWorktree } from '../event/session-event.ts';
import type { HeldBy } from '../sandbox/sandbox-settings.ts';

/**
 * The state of a session. `kept`: no agent is running for it, and it can be resumed. `elsewhere`: another program,
 * such as a terminal, has it open, and it can be watched. All others are states of a session that is open here.
 */
export type HubSessionState =
  | 'kept'
  | 'elsewhere'
  | 'starting'
  | 'ready'
  | 'running'
  | 'waiting'
  | 'stopping'
  | 'failed';

/** A session in lists. */
export interface HubSession {
  /** Identifies the session on this side: the key of its event log, and its id on the hub. */
  readonly key: string;
  /**
   * An application started it over AAP: only that application prompts and answers; clients of the hub can watch and
   * cancel. @default a client of the hub
   */
  readonly origin?: 'aap';
  /** The key of the session that this one is a delegate of. @default it is none */
  readonly parent?: string;
  /** The configured name of its agent. */
  readonly agent: string;
  readonly cwd: string;
  /** The git worktree of the folder. @default none of Parley's worktrees */
  readonly worktree?: SessionWorktree;
  /** The sandbox of its agent. @default none, or no agent has been started yet */
  readonly sandbox?: HeldBy;
  /** The user's title, else the agent's, else the beginning of its first prompt. */
  readonly title?: string;
  readonly state: HubSessionState;
  /** The machine that runs it, where several serve the same sessions. */
  readonly machine?: string;
  /** Why it failed, if it did. */
  readonly failure?: string;
  /** Set while its agent is being restarted. */
  readonly restart?: AgentRestart;
  /** The number of sessions ahead in the queue, if its agent waits for a slot. */
  readonly waitsBehind?: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Questions that wait for a user. */
  readonly questions: number;
  /** Prompts that are sent one after another when the turn ends. */
  readonly queue: readonly QueuedPrompt[];
  /** Whether the queue waits for the user, because the previous turn failed or was cancelled. */
  readonly isQueueHeld?: true;
  /** Features of the session that not every agent has. */
  readonly canFork?: true;
}

/** An attempt to restart an agent. */
export interface AgentRestart {
  /** From 1. */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** The time of the attempt, in milliseconds since 1970. */
  readonly at: number;
}

/** A prompt in the queue. */
export interface QueuedPrompt {
  readonly id: string;
  /** The content; long parts other than the first text are empty, with {@link HeldContent} in the block's `_meta`. */
  readonly blocks: readonly ContentBlock[];
}

/** The key in `_meta` for content that stays on the hub. */
export const heldContent = 'parley/held';

/** Replaces content that stays on the hub. The content is preserved when a prompt is edited. */
export interface HeldContent {
  /** The position of the block in the prompt, from 0. */
  readonly at: number;
  /** Length in characters, as sent to the agent. */
  readonly length: number;
}

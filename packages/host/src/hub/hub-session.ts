import type { ContentBlock } from '@parley/acp';
import type { SessionWorktree } from '../event/session-event.ts';

/**
 * The state of a session. `kept`: no agent runs for it, it can be resumed. `elsewhere`: another program has it
 * open, such as a terminal; it can be watched. The others are those of a session that is open here.
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

/** A session as lists show it. */
export interface HubSession {
  /** Names the session on this side: the key of its event log, and its id on the hub. */
  readonly key: string;
  /** An application began it over AAP: it alone prompts and answers; clients of the hub look on and may cancel. @default a client of the hub */
  readonly origin?: 'aap';
  /** What its agent is called here. */
  readonly agent: string;
  readonly cwd: string;
  /** The git worktree that the folder is in. @default it is in none of ours */
  readonly worktree?: SessionWorktree;
  /** The user's title, else the agent's, else the beginning of its first prompt. */
  readonly title?: string;
  readonly state: HubSessionState;
  /** Why it failed, where it did. */
  readonly failure?: string;
  /** Its agent ended, and is being started again. */
  readonly restart?: AgentRestart;
  /** Its agent is not started yet: as many run as may, and so many sessions wait for a place before this one. */
  readonly waitsBehind?: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Questions that wait for a user. */
  readonly questions: number;
  /** Prompts that are sent one after the other as turns end. */
  readonly queue: readonly QueuedPrompt[];
  /** The queue waits for the person: the turn before failed or was cancelled. */
  readonly isQueueHeld?: true;
  /** What can be done with it, of what not every agent offers. */
  readonly canFork?: true;
}

/** An attempt to start an agent again. */
export interface AgentRestart {
  /** From 1. */
  readonly attempt: number;
  /** How many there will be at most. */
  readonly attempts: number;
  /** When it is made, in milliseconds since 1970. */
  readonly at: number;
}

/** A prompt that waits for the end of the turn. */
export interface QueuedPrompt {
  readonly id: string;
  /** What is long in it, but for its first text, is empty, with {@link HeldContent} in the block's `_meta`. */
  readonly blocks: readonly ContentBlock[];
}

/** The name in `_meta` of what stays on the hub. */
export const heldContent = 'parley/held';

/** Replaces content that stays on the hub, also where a prompt is edited: the content is not lost. */
export interface HeldContent {
  /** The block's place in the prompt, from 0. */
  readonly at: number;
  /** In characters, as it will be sent. */
  readonly length: number;
}

import type { StopReason } from '@parley/acp';

/** The kind of a sub-agent's work: `explore` only reads. */
export type SubagentKind = 'explore' | 'work';

/** A task for a sub-agent. */
export interface SubagentTask {
  readonly kind: SubagentKind;
  /** A few words for the user. */
  readonly title: string;
  readonly prompt: string;
}

/** Why a sub-agent stopped. */
export type SubagentStopReason = Exclude<StopReason, 'unknown'> | 'error';

/** The result of a sub-agent. */
export interface SubagentResult {
  /** The id of its session. */
  readonly sessionId: string;
  readonly stopReason: SubagentStopReason;
  /** Its last message, and before it the reason if it did not finish. */
  readonly text: string;
}

import type { ContentBlock } from '@parley/acp';
import type { Sender } from './sender.ts';

/**
 * What became of text that was sent while a turn ran.
 *
 * - `steered`: it joined the turn.
 * - `queued`: it is an ordinary prompt.
 * - `unknown`: the agent may have received it; it is not sent again.
 */
export type SteeringOutcome = 'steered' | 'queued' | 'unknown';

/** Text is about to be sent into the turn that runs. Without a {@link SteeringEvent} after it, its outcome is unknown. */
export interface SteeringRequestEvent extends SteeringText {
  readonly type: 'steering-request';
}

/** What became of text that a user sent while a turn ran. */
export interface SteeringEvent extends SteeringText {
  readonly type: 'steering';
  readonly outcome: SteeringOutcome;
}

interface SteeringText {
  readonly sessionId: string;
  /** Identifies the text; the turn of a queued one names it. */
  readonly promptId: string;
  readonly prompt: readonly ContentBlock[];
  readonly from?: Sender;
}

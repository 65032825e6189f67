import type { ContentBlock, StopReason } from '@parley/acp';
import type { TurnLimit } from '../agent-session/turn/turn-time.ts';
import type { TurnUsage } from '../agent-session/turn/turn-usage.ts';
import type { TurnWait } from '../agent-session/turn/turn-wait.ts';
import type { Sender } from './sender.ts';

/** A prompt is being sent. */
export interface TurnStartEvent {
  readonly type: 'turn-start';
  readonly sessionId: string;
  readonly turnId: string;
  readonly prompt: readonly ContentBlock[];
  /**
   * Text that the agent receives before the prompt: the files that a user's undo changed since its last turn. Not
   * written by the user.
   */
  readonly preface?: string;
  /** The id of the prompt that its client chose. */
  readonly promptId?: string;
  /** The sender of the prompt, if there can be several. */
  readonly from?: Sender;
  /** Its position in a distributed trace, in the format of W3C Trace Context. */
  readonly traceparent?: string;
}

/** A turn reached a limit and is about to be cancelled. */
export interface TurnTimeoutEvent {
  readonly type: 'turn-timeout';
  readonly sessionId: string;
  readonly turnId: string;
  readonly limit: TurnLimit;
  readonly limitMs: number;
  readonly waitsFor: TurnWait;
}

/** A step of cancelling a turn. */
export interface TurnCancelEvent {
  readonly type: 'turn-cancel';
  readonly sessionId: string;
  readonly turnId: string;
  /**
   * The agent was notified; the prompt was cancelled as a request too; the agent was ended because it did not end the
   * turn.
   */
  readonly step: 'asked' | 'request-cancelled' | 'agent-ended';
}

/** A turn has ended, with a stop reason or without a valid response. */
export type TurnEndEvent = TurnStop | TurnFailure;

/** The common fields of all {@link TurnEndEvent}s. */
export interface TurnEndBase {
  readonly type: 'turn-end';
  readonly sessionId: string;
  readonly turnId: string;
}

/** A {@link TurnEndEvent} with a stop reason. */
export interface TurnStop extends TurnEndBase, TurnUsage {
  readonly stopReason: StopReason;
  /** The agent's own stop reason, if the stop reason is `unknown`. */
  readonly rawStopReason?: string;
}

/** A {@link TurnEndEvent} for a failed prompt. */
export interface TurnFailure extends TurnEndBase {
  /** The agent's own code, with its data, or that of a `HostError`. */
  readonly error: { readonly code: string | number; readonly message: string; readonly data?: unknown };
  /** The tool calls that were open when the agent ended: their outcome is unknown. */
  readonly unknownOutcome?: readonly string[];
}

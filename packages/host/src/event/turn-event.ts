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
  /** What the agent is sent before the prompt: which files a user's undo changed since its last turn. No words of the user's. */
  readonly preface?: string;
  /** Identifies the prompt, as its client named it. */
  readonly promptId?: string;
  /** Whose prompt it is, where several people may send one. */
  readonly from?: Sender;
  /** Where it stands in a distributed trace, as W3C Trace Context writes it. */
  readonly traceparent?: string;
}

/** A turn has reached a limit, and is about to be cancelled for it. */
export interface TurnTimeoutEvent {
  readonly type: 'turn-timeout';
  readonly sessionId: string;
  readonly turnId: string;
  readonly limit: TurnLimit;
  readonly limitMs: number;
  readonly waitsFor: TurnWait;
}

/** A step on the way down of a cancelled turn. */
export interface TurnCancelEvent {
  readonly type: 'turn-cancel';
  readonly sessionId: string;
  readonly turnId: string;
  /** The agent was notified; the prompt was cancelled as a request too; the agent, which did not end the turn, is ended. */
  readonly step: 'asked' | 'request-cancelled' | 'agent-ended';
}

/** A turn has ended: with a stop reason, or without an answer that counts. */
export type TurnEndEvent = TurnStop | TurnFailure;

/** What each {@link TurnEndEvent} has. */
export interface TurnEndBase {
  readonly type: 'turn-end';
  readonly sessionId: string;
  readonly turnId: string;
}

/** A {@link TurnEndEvent} with a stop reason. */
export interface TurnStop extends TurnEndBase, TurnUsage {
  readonly stopReason: StopReason;
  /** What the agent called it, where the stop reason is `unknown`. */
  readonly rawStopReason?: string;
}

/** A {@link TurnEndEvent} without one: the prompt failed. */
export interface TurnFailure extends TurnEndBase {
  /** The agent's own code, or one of a `HostError`. */
  readonly error: { readonly code: string | number; readonly message: string };
  /** The tool calls that were open when the agent ended: their outcome is unknown. */
  readonly unknownOutcome?: readonly string[];
}

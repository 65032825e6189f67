import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import type { DecisionReason } from '../permission/reason.ts';
import type { RequestedAction } from '../permission/request/requested-action.ts';
import type { Sender } from './sender.ts';

/** Who decided: an approval level, a configured rule, a user (`person`), or the default because no user was there. */
export type DecidedBy = 'flag' | 'rule' | 'person' | 'nobody';

/** A permission is wanted: the agent asks for it, or acts without having asked. Its answer is a `permission`. */
export interface PermissionRequestEvent {
  readonly type: 'permission-request';
  readonly sessionId: string;
  readonly requestId: string;
  /** All that is known of the call. */
  readonly toolCall: ToolCallUpdate;
  /** What it asks for, whole but for the values of variables. Events of earlier versions have none. */
  readonly action?: RequestedAction;
  readonly options: readonly PermissionOption[];
  /** The call shows nothing of what it would do; no rule allows it. */
  readonly opaque?: true;
}

/** A permission was asked for and answered. */
export interface PermissionEvent extends Sender {
  readonly type: 'permission';
  readonly sessionId: string;
  /** Of the `permission-request` before it. */
  readonly requestId: string;
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  /** The id of the chosen option, or `cancelled`. */
  readonly decision: string;
  readonly by: DecidedBy;
  readonly reason: string;
  /** The same for clients that write it in their own words; absent where the reason says more. */
  readonly because?: DecisionReason;
  /** The user was not asked now: a remembered answer applied. */
  readonly remembered?: true;
}

/** The agent asks a question. Its answer is an `elicitation`. */
export interface ElicitationRequestEvent {
  readonly type: 'elicitation-request';
  readonly sessionId?: string;
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  readonly toolCallId?: string;
}

/** The agent asked a question, and it was answered. */
export interface ElicitationEvent extends Sender {
  readonly type: 'elicitation';
  readonly sessionId?: string;
  /** Of the `elicitation-request` before it. */
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  /** `accept`, `decline` or `cancel`. */
  readonly action: string;
  readonly by: 'person' | 'nobody';
}

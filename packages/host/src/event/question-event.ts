import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import type { DecisionReason } from '../permission/reason.ts';
import type { RequestedAction } from '../permission/request/requested-action.ts';
import type { Sender } from './sender.ts';

/**
 * Who decided: an approval level, a configured rule, a user (`person`), or the default because no user was connected.
 */
export type DecidedBy = 'flag' | 'rule' | 'person' | 'nobody';

/** A permission is required: the agent asks for it, or acts without asking. A `permission` event answers it. */
export interface PermissionRequestEvent {
  readonly type: 'permission-request';
  readonly sessionId: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  readonly requestId: string;
  /** Everything known about the call. */
  readonly toolCall: ToolCallUpdate;
  /** The requested action, complete except for the values of variables. Events of earlier versions have none. */
  readonly action?: RequestedAction;
  readonly options: readonly PermissionOption[];
  /** The call does not show its effect; no rule allows it. */
  readonly opaque?: true;
}

/** A permission request was answered. */
export interface PermissionEvent extends Sender {
  readonly type: 'permission';
  readonly sessionId: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  /** The id of the `permission-request`. */
  readonly requestId: string;
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  /** The id of the chosen option, or `cancelled`. */
  readonly decision: string;
  readonly by: DecidedBy;
  readonly reason: string;
  /** The parts of the reason, for clients that write their own text; absent if only the reason is known. */
  readonly because?: DecisionReason;
  /** Set if a remembered answer applied, and the user was not asked. */
  readonly remembered?: true;
}

/** The agent asks a question. An `elicitation` event answers it. */
export interface ElicitationRequestEvent {
  readonly type: 'elicitation-request';
  readonly sessionId?: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  readonly toolCallId?: string;
}

/** A question of the agent was answered. */
export interface ElicitationEvent extends Sender {
  readonly type: 'elicitation';
  readonly sessionId?: string;
  /** The sub-agent, by the id of its session. @default the session itself */
  readonly subagent?: string;
  /** The id of the `elicitation-request`. */
  readonly requestId: string;
  readonly message: string;
  readonly mode: string;
  /** `accept`, `decline` or `cancel`. */
  readonly action: string;
  /** The answer: the labels of the chosen options, and text that the user entered, without secrets. */
  readonly chosen?: readonly string[];
  readonly by: 'person' | 'nobody';
}

import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
} from '@parley/acp';
import type { RememberOffer } from '@parley/workspace/rule';
import type { Sender } from './event/sender.ts';
import type { SignedAnswer } from './permission/permission-answer.ts';
import type { PolicyReason } from './permission/reason.ts';
import type { RequestedAction } from './permission/request/requested-action.ts';

/** What an agent's question was answered. */
export type ElicitationAnswer = (CreateElicitationResponse & Sender) | 'nobody';

/** How long the answer is wanted, and to what. */
export interface InteractOptions {
  /** Names the question, as the events about it do. */
  readonly requestId: string;
  /** Aborted when the answer is no longer wanted: the turn was cancelled, or the agent is gone. */
  readonly signal: AbortSignal;
}

/** The same, for a permission question. */
export interface PermissionInteractOptions extends InteractOptions {
  /** Why it is asked: the rule or the level that wants it. */
  readonly why: string;
  /** The same, for other words. */
  readonly because?: PolicyReason;
  /** What is asked for, whole: what the user sees is drawn from it. */
  readonly action: RequestedAction;
  /** The call shows nothing of what it would do. */
  readonly opaque?: true;
  /** What an answer could count for beyond this call. @default only this call can be decided */
  readonly remember?: RememberOffer;
}

/**
 * A user who can be asked. Several questions may be open at once. An absent method answers no such question.
 */
export interface Interact {
  /** The tool call in the request holds everything that is known of it, not only what the agent sent along. */
  permission?(request: RequestPermissionRequest, options: PermissionInteractOptions): Promise<SignedAnswer>;
  elicitation?(request: CreateElicitationRequest, options: InteractOptions): Promise<ElicitationAnswer>;
}

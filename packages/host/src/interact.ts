import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
} from '@parley/acp';
import type { RememberOffer } from '@parley/workspace/rule';
import type { Sender } from './event/sender.ts';
import type { SubagentName } from './event/subagent-name.ts';
import type { SignedAnswer } from './permission/permission-answer.ts';
import type { PolicyReason } from './permission/reason.ts';
import type { RequestedAction } from './permission/request/requested-action.ts';

/** What an agent's question was answered. */
export type ElicitationAnswer = (CreateElicitationResponse & Sender) | 'nobody';

/** Options of a question to the user. */
export interface InteractOptions {
  /** Names the question, as the events about it do. */
  readonly requestId: string;
  /** Aborted when the answer is no longer needed: the turn was cancelled, or the agent has ended. */
  readonly signal: AbortSignal;
  /** The sub-agent that asks. @default the session itself */
  readonly subagent?: SubagentName;
}

/** The same, for a permission question. */
export interface PermissionInteractOptions extends InteractOptions {
  /** Why the user is asked: the rule or the level that requires it. */
  readonly why: string;
  /** The same, for other words. */
  readonly because?: PolicyReason;
  /** The complete requested action; the displayed question is drawn from it. */
  readonly action: RequestedAction;
  /** The call does not show what it would do. */
  readonly opaque?: true;
  /** What a remembered answer could cover. @default only this call can be decided */
  readonly remember?: RememberOffer;
}

/**
 * Asks the user. Several questions may be open at once. If a method is absent, questions of that kind cannot be
 * answered.
 */
export interface Interact {
  /**
   * Asks for a permission. The tool call in the request contains everything known about it, not only the fields that
   * the agent sent with the request.
   */
  permission?(request: RequestPermissionRequest, options: PermissionInteractOptions): Promise<SignedAnswer>;
  elicitation?(request: CreateElicitationRequest, options: InteractOptions): Promise<ElicitationAnswer>;
}

import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
} from '@parley/acp';
import type { AnswerScope } from './permission/answer-scope.ts';
import type { LastingOffer } from './permission/lasting-rules.ts';

/**
 * What a person answered to a permission question: one of the options, something that is to count longer than for this
 * call, or nothing.
 */
export type PermissionAnswer = { readonly optionId: string } | LastingAnswer | 'cancelled';

/** An answer that we remember, whatever the agent offers. The agent hears that this one call is allowed or not. */
export interface LastingAnswer {
  readonly remember: AnswerScope;
  readonly decision: 'allow' | 'deny';
}

/** How long the answer is wanted. */
export interface InteractOptions {
  /** Aborted when the answer is no longer wanted: the turn was cancelled, or the agent is gone. */
  readonly signal: AbortSignal;
}

/** The same, for a permission question. */
export interface PermissionInteractOptions extends InteractOptions {
  /** What an answer could count for beyond this call. @default only this call can be decided */
  readonly lasting?: LastingOffer;
}

/**
 * A person who can be asked. Several questions may be open at once. What is absent, nobody answers.
 */
export interface Interact {
  /** The tool call in the request holds everything that is known of it, not only what the agent sent along. */
  permission?(
    request: RequestPermissionRequest,
    options: PermissionInteractOptions,
  ): Promise<PermissionAnswer>;
  elicitation?(
    request: CreateElicitationRequest,
    options: InteractOptions,
  ): Promise<CreateElicitationResponse>;
}

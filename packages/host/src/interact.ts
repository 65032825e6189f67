import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
} from '@parley/acp';

/** What a person answered to a permission question: one of the options, or nothing. */
export type PermissionAnswer = { readonly optionId: string } | 'cancelled';

/** How long the answer is wanted. */
export interface InteractOptions {
  /** Aborted when the answer is no longer wanted: the turn was cancelled, or the agent is gone. */
  readonly signal: AbortSignal;
}

/**
 * A person who can be asked. Several questions may be open at once. What is absent, nobody answers.
 */
export interface Interact {
  /** The tool call in the request holds everything that is known of it, not only what the agent sent along. */
  permission?(request: RequestPermissionRequest, options: InteractOptions): Promise<PermissionAnswer>;
  elicitation?(
    request: CreateElicitationRequest,
    options: InteractOptions,
  ): Promise<CreateElicitationResponse>;
}

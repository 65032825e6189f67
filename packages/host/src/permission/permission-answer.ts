import type { AnswerScope } from '@parley/workspace/rule';
import type { Sender } from '../event/sender.ts';

/** A user's answer to a permission request. */
export type PermissionAnswer = OptionAnswer | AnswerToRemember | { readonly kind: 'cancel' };

/** One of the options that the agent offers. */
export interface OptionAnswer {
  readonly kind: 'option';
  readonly optionId: string;
  /** Why the call is rejected, in the user's words. The agent is sent it too. */
  readonly reason?: string;
}

/** An answer that Parley remembers, regardless of the options of the agent. The agent only learns whether this one call is allowed. */
export interface AnswerToRemember {
  readonly kind: 'remember';
  readonly decision: 'allow' | 'deny';
  readonly scope: AnswerScope;
  readonly reason?: string;
}

/** An answer with who gave it. `nobody`: no client is connected that may answer. */
export type SignedAnswer = (PermissionAnswer & Sender) | 'nobody';

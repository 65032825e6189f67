import type { ToolKind } from '@parley/acp';
import type { Rule } from '@parley/workspace/rule';
import type { AnswerScope } from './answer-scope.ts';
import type { ApproveLevel } from './approve-level.ts';
import type { Protection } from './requested-action.ts';

/** What of the policy spoke, for whoever says it in words of their own: why a person is asked, or need not be. */
export type Because =
  /** The approval level does not cover a call of this kind, or of none; `isCovered`: it does. */
  | {
      readonly code: 'level';
      readonly level: ApproveLevel;
      readonly kind?: ToolKind;
      readonly isCovered?: true;
    }
  /** Rules want it; `isUnclear`: they may, and what the call would do cannot be judged. */
  | { readonly code: 'rules'; readonly rules: readonly OwnedRule[]; readonly isUnclear?: true }
  /** The call shows nothing of what it would do. */
  | { readonly code: 'opaque' }
  /** A protected file: no level but `all` covers it, nor a rule that does not name it. */
  | { readonly code: 'protected'; readonly path: string; readonly protection: Protection }
  /** A place outside of the session's folders, which no level but `all` covers. */
  | { readonly code: 'outside'; readonly path: string }
  /** It could be allowed, but the agent offers no option that allows it only once. */
  | { readonly code: 'only-always' };

/** Why a permission was answered as it was, for whoever says it in words of their own. */
export type AnsweredBecause =
  | Because
  /** The person chose an option, or what counts for longer, and may have said why. */
  | {
      readonly code: 'answered';
      readonly lasting?: { readonly decision: 'allow' | 'deny'; readonly scope: AnswerScope };
      readonly words?: string;
    }
  | { readonly code: 'dismissed' | 'turn-cancelled' };

/** A rule, and whose it is: of the configuration of the person or the project, or an answer that was remembered. */
export interface OwnedRule extends Rule {
  readonly origin?: 'user' | 'project' | 'answer';
  /** How long an answer counts. */
  readonly scope?: AnswerScope;
}

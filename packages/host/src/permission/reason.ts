import type { ToolKind } from '@parley/acp';
import type { AnswerScope, Protection, Rule } from '@parley/workspace/rule';
import type { ApprovalLevel } from './policy.ts';

/** Why the policy decided or asks the user. Clients translate it. */
export type PolicyReason =
  /** The approval level does not cover a call of this kind, or of none; `isCovered`: it does. */
  | {
      readonly code: 'level';
      readonly level: ApprovalLevel;
      readonly kind?: ToolKind;
      readonly isCovered?: true;
    }
  /** Rules require it; with `isUnclear`, they may, and it is unknown what the call would do. */
  | { readonly code: 'rules'; readonly rules: readonly OwnedRule[]; readonly isUnclear?: true }
  /** The call does not show what it would do. */
  | { readonly code: 'opaque' }
  /** A protected file: no level but `all` covers it, nor a rule that does not name it. */
  | { readonly code: 'protected'; readonly path: string; readonly protection: Protection }
  /** A place outside of the session's folders, which no level but `all` covers. */
  | { readonly code: 'outside'; readonly path: string }
  /** A command that the sandbox holds, which the user's configuration allows. */
  | { readonly code: 'sandboxed'; readonly mode: string }
  /** A host that the sandbox does not allow: no level covers it, nor a rule that does not name it. */
  | { readonly code: 'blocked'; readonly host: string }
  /** The agent offers no option that allows the call only once. */
  | { readonly code: 'only-always' };

/** The reason for the decision of a permission request; clients translate it. */
export type DecisionReason =
  | PolicyReason
  /** The user chose an option, or an answer to remember, and may have given a reason. */
  | {
      readonly code: 'answered';
      readonly lasting?: { readonly decision: 'allow' | 'deny'; readonly scope: AnswerScope };
      readonly words?: string;
    }
  | { readonly code: 'dismissed' | 'turn-cancelled' | 'turn-timeout' };

/** A rule, and whose it is: of the user's or the project's configuration, or a remembered answer. */
export interface OwnedRule extends Rule {
  readonly origin?: 'user' | 'project' | 'answer';
  /** The scope of the remembered answer. */
  readonly scope?: AnswerScope;
}

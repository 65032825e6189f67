import type { ToolKind } from '@parley/acp';
import type { AnswerScope } from './answer-scope.ts';
import type { ApproveLevel } from './approve-level.ts';

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
  | { readonly code: 'opaque' };

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

/** Which tool calls a rule is about, for programs that know no more of rules. */
export interface RuledCalls {
  /** An ACP kind, a tool's name, the beginning of names (`mcp__github__*`), or `*`. */
  readonly tool: string;
  readonly path?: string;
  /** The whole command. */
  readonly command?: string;
  /** Its first words. */
  readonly commandPrefix?: string;
  readonly host?: string;
  readonly agent?: string;
}

/** A rule, and whose it is: of the configuration of the person or the project, or an answer that was remembered. */
export interface OwnedRule extends RuledCalls {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly origin?: 'user' | 'project' | 'answer';
  /** How long an answer counts. */
  readonly scope?: AnswerScope;
}

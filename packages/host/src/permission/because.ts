import type { ToolKind } from '@parley/acp';
import type { AnswerScope } from './answer-scope.ts';
import type { ApproveLevel } from './approve-level.ts';

/** Why a person is asked, for whoever says it in words of their own. */
export type Because =
  /** The approval level does not cover a call of this kind, or of none. */
  | { readonly code: 'level'; readonly level: ApproveLevel; readonly kind?: ToolKind }
  /** Rules want it; `isUnclear`: they may, and what the call would do cannot be judged. */
  | { readonly code: 'rules'; readonly rules: readonly OwnedRule[]; readonly isUnclear?: true }
  /** The call shows nothing of what it would do. */
  | { readonly code: 'opaque' };

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

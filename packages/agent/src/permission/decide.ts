import { ruleText, type Ruling } from '@parley/workspace/rule';
import type { Action, RestrictedAction } from './action.ts';
import type { ConversationRule } from './conversation-permissions.ts';
import type { Mode } from './mode.ts';

/** Whether a tool call may run, and what decided it; without `by`, the user decided, or no decision was needed. */
export type Decision =
  | { readonly decision: 'allow'; readonly by?: DecidedBy }
  | { readonly decision: 'deny'; readonly reason: string; readonly by?: DecidedBy };

/** What decided in place of the user. */
export type DecidedBy =
  | { readonly by: 'mode'; readonly mode: Mode }
  /** A rule of the configuration, or a remembered answer of the session's user. */
  | { readonly by: 'rule' | 'session'; readonly rule: string };

/**
 * Decides about an action: the modes that only read refuse; a `deny` holds; full access allows; `ask` asks; then the
 * mode may allow, then a rule; else the user is asked, always about a command that is to leave the sandbox.
 *
 * @param ruling What the rules say, if one speaks of it.
 * @param isProtected Whether one of its files is protected: short of full access, and of a rule that names it, it is asked about.
 */
export function decide(
  mode: Mode,
  action: Action,
  ruling?: Ruling<ConversationRule>,
  isProtected = false,
): Decision | 'ask' {
  switch (action.kind) {
    case 'none':
    case 'ask-user':
      return ruling?.decision === 'deny' ? denied(ruling) : { decision: 'allow' };
    case 'switch-mode':
      return ruling?.decision === 'deny' ? denied(ruling) : 'ask';
    case 'read':
      return decideRead(mode, ruling, isProtected);
    case 'edit':
    case 'delete':
    case 'move':
    case 'execute':
    case 'fetch':
    case 'mcp':
      return decideRestricted(mode, action, ruling, isProtected);
  }
}

function decideRead(
  mode: Mode,
  ruling: Ruling<ConversationRule> | undefined,
  isProtected: boolean,
): Decision | 'ask' {
  switch (ruling?.decision) {
    case 'deny':
      return denied(ruling);
    case 'ask':
    case 'unclear':
      return mode === 'full-access' ? { decision: 'allow' } : 'ask';
    case 'allow':
      return { decision: 'allow', by: ruledBy(ruling) };
    case undefined:
      return isProtected && mode !== 'full-access' ? 'ask' : { decision: 'allow' };
  }
}

function decideRestricted(
  mode: Mode,
  action: RestrictedAction,
  ruling: Ruling<ConversationRule> | undefined,
  isProtected: boolean,
): Decision | 'ask' {
  const byMode: DecidedBy = { by: 'mode', mode };
  if ((mode === 'read-only' || mode === 'plan') && !(action.kind === 'mcp' && action.isReadOnly)) {
    const reason = `The mode "${mode}" allows no changes and no commands`;
    return { decision: 'deny', reason, by: byMode };
  }
  if (ruling?.decision === 'deny') return denied(ruling);
  if (mode === 'full-access') {
    return ruling?.decision === 'unclear' ? deniedUnclear(ruling) : { decision: 'allow', by: byMode };
  }
  if (ruling?.decision === 'unclear' || ruling?.decision === 'ask') return 'ask';
  const isOfMode = mode === 'workspace-write' && !isProtected && (isFileChange(action) || isApproved(action));
  if (isOfMode) return { decision: 'allow', by: byMode };
  // What allows a command inside the sandbox was not about one outside.
  if (ruling === undefined || leavesSandbox(action)) return 'ask';
  return { decision: 'allow', by: ruledBy(ruling) };
}

function denied(ruling: Ruling<ConversationRule>): Decision {
  const by = ruledBy(ruling);
  const reason =
    by.by === 'session'
      ? `The user rejected this for the whole session: ${by.rule}`
      : `Not allowed: ${by.rule} applies`;
  return { decision: 'deny', reason, by };
}

/** A rule that denies may apply to the call, which cannot be judged: this mode asks about nothing, so it denies. */
function deniedUnclear(ruling: Ruling<ConversationRule>): Decision {
  const by = ruledBy(ruling);
  const reason = `Not allowed: ${by.rule} may apply, the call cannot be judged, and this mode never asks`;
  return { decision: 'deny', reason, by };
}

/** The rules that decided, in words. */
function ruledBy({ rules }: Ruling<ConversationRule>): Extract<DecidedBy, { readonly rule: string }> {
  const isOfSession = rules.every(({ origin }) => origin === 'answer');
  return { by: isOfSession ? 'session' : 'rule', rule: rulesText(rules) };
}

/** Rules for a reader. */
export function rulesText(rules: readonly ConversationRule[]): string {
  return rules.map(ruleText).join(' and ');
}

function isFileChange({ kind }: RestrictedAction): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

function isApproved(action: RestrictedAction): boolean {
  return action.kind === 'execute' && action.sandbox === 'approved';
}

/** Whether a command is to run outside of the sandbox for commands. */
export function leavesSandbox(action: Action): boolean {
  return action.kind === 'execute' && action.sandbox === 'outside';
}

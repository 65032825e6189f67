import { ruleText, type Ruling } from '@parley/workspace/rule';
import type { Action, RestrictedAction } from './action.ts';
import type { Mode } from './mode.ts';
import type { SessionRule } from './session-permissions.ts';

/** Whether a tool call may run, and what decided it; without `by` the user did, or nothing had to be decided. */
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
 * mode may allow, then a rule; else the user is asked.
 *
 * @param ruling What the rules say, if one speaks of it.
 * @param isProtected Whether one of its files is protected: short of full access, and of a rule that names it, it is asked about.
 */
export function decide(
  mode: Mode,
  action: Action,
  ruling?: Ruling<SessionRule>,
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
  ruling: Ruling<SessionRule> | undefined,
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
  ruling: Ruling<SessionRule> | undefined,
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
  const isOfMode = mode === 'workspace-write' && isFileChange(action) && !isProtected;
  if (isOfMode) return { decision: 'allow', by: byMode };
  return ruling === undefined ? 'ask' : { decision: 'allow', by: ruledBy(ruling) };
}

function denied(ruling: Ruling<SessionRule>): Decision {
  const by = ruledBy(ruling);
  const reason =
    by.by === 'session'
      ? `The user rejected this for the whole session: ${by.rule}`
      : `Not allowed: ${by.rule} applies`;
  return { decision: 'deny', reason, by };
}

/** Other modes ask the user about such a call; this one asks about nothing. */
function deniedUnclear(ruling: Ruling<SessionRule>): Decision {
  const by = ruledBy(ruling);
  const reason = `Not allowed: ${by.rule} may apply, the call cannot be judged, and this mode never asks`;
  return { decision: 'deny', reason, by };
}

/** The rules that decided, in words. */
function ruledBy({ rules }: Ruling<SessionRule>): Extract<DecidedBy, { readonly rule: string }> {
  const isOfSession = rules.every(({ origin }) => origin === 'answer');
  return { by: isOfSession ? 'session' : 'rule', rule: rulesText(rules) };
}

/** Rules for a reader. */
export function rulesText(rules: readonly SessionRule[]): string {
  return rules.map(ruleText).join(' and ');
}

function isFileChange({ kind }: RestrictedAction): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

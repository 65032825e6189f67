import type { Action, RestrictedAction } from './action.ts';
import type { Mode } from './mode.ts';

/** Whether a tool call may run. */
export type Decision =
  | { readonly outcome: 'allow'; readonly decidedBy?: DecidedBy }
  | { readonly outcome: 'ask' }
  | { readonly outcome: 'deny'; readonly reason: string; readonly decidedBy: DecidedBy };

/** What decided in place of the user. */
export type DecidedBy =
  | { readonly by: 'mode'; readonly mode: Mode }
  /** A rule of the configuration, or a lasting answer of the session's user. */
  | { readonly by: 'rule' | 'session'; readonly rule: string };

/** Whether a call may run after all questions were answered, with what decided where it was not the user. */
export type Permission =
  | { readonly state: 'granted'; readonly decidedBy?: DecidedBy }
  | { readonly state: 'refused'; readonly reason: string; readonly decidedBy?: DecidedBy };

/** What rules say about a call, in words. */
export interface RuleDecision {
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear';
  readonly decidedBy: Extract<DecidedBy, { readonly rule: string }>;
}

/**
 * Decides about an action: the modes that only read refuse; a `deny` holds; full access allows; `ask` asks; then the
 * mode may allow, then a rule; else the user is asked.
 *
 * @param ruling What the rules say, if one speaks of it.
 * @param isProtected Whether one of its files is protected: short of full access, and of a rule that names it, it is asked about.
 */
export function decide(mode: Mode, action: Action, ruling?: RuleDecision, isProtected = false): Decision {
  switch (action.kind) {
    case 'none':
    case 'ask-user':
      return ruling?.decision === 'deny' ? denied(ruling.decidedBy) : { outcome: 'allow' };
    case 'switch-mode':
      return ruling?.decision === 'deny' ? denied(ruling.decidedBy) : { outcome: 'ask' };
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

function decideRead(mode: Mode, ruling: RuleDecision | undefined, isProtected: boolean): Decision {
  switch (ruling?.decision) {
    case 'deny':
      return denied(ruling.decidedBy);
    case 'ask':
    case 'unclear':
      return mode === 'full-access' ? { outcome: 'allow' } : { outcome: 'ask' };
    case 'allow':
      return { outcome: 'allow', decidedBy: ruling.decidedBy };
    case undefined:
      return isProtected && mode !== 'full-access' ? { outcome: 'ask' } : { outcome: 'allow' };
  }
}

function decideRestricted(
  mode: Mode,
  action: RestrictedAction,
  ruling: RuleDecision | undefined,
  isProtected: boolean,
): Decision {
  const byMode: DecidedBy = { by: 'mode', mode };
  if ((mode === 'read-only' || mode === 'plan') && !(action.kind === 'mcp' && action.isReadOnly)) {
    const reason = `The mode "${mode}" allows no changes and no commands`;
    return { outcome: 'deny', reason, decidedBy: byMode };
  }
  if (ruling?.decision === 'deny') return denied(ruling.decidedBy);
  if (mode === 'full-access') {
    return ruling?.decision === 'unclear'
      ? deniedUnclear(ruling.decidedBy)
      : { outcome: 'allow', decidedBy: byMode };
  }
  if (ruling?.decision === 'unclear' || ruling?.decision === 'ask') return { outcome: 'ask' };
  const isOfMode = mode === 'workspace-write' && isFileChange(action) && !isProtected;
  if (isOfMode) return { outcome: 'allow', decidedBy: byMode };
  return ruling === undefined ? { outcome: 'ask' } : { outcome: 'allow', decidedBy: ruling.decidedBy };
}

function denied(decidedBy: RuleDecision['decidedBy']): Decision {
  const reason =
    decidedBy.by === 'session'
      ? `The user rejected this for the whole session: ${decidedBy.rule}`
      : `Not allowed: ${decidedBy.rule} applies`;
  return { outcome: 'deny', reason, decidedBy };
}

/** In other modes the user sees such a call; here the user is not asked. */
function deniedUnclear(decidedBy: RuleDecision['decidedBy']): Decision {
  const reason = `Not allowed: ${decidedBy.rule} may apply, the call cannot be judged, and this mode never asks`;
  return { outcome: 'deny', reason, decidedBy };
}

function isFileChange({ kind }: RestrictedAction): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

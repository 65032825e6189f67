import type { Action, GuardedAction } from './action.ts';
import type { Mode } from './mode.ts';

/** Whether a tool call may run. */
export type Decision =
  | { readonly verdict: 'allow'; readonly grounds?: Grounds }
  | { readonly verdict: 'ask' }
  | { readonly verdict: 'deny'; readonly reason: string; readonly grounds: Grounds };

/** What decided in place of a person. */
export type Grounds =
  | { readonly by: 'mode'; readonly mode: Mode }
  /** A rule of the configuration, or a lasting answer of the session's user. */
  | { readonly by: 'rule' | 'session'; readonly rule: string };

/** Whether a call may run once everybody was asked who had to be, with what decided where it was not a person. */
export type Permission =
  | { readonly state: 'granted'; readonly grounds?: Grounds }
  | { readonly state: 'refused'; readonly reason: string; readonly grounds?: Grounds };

/** What rules say about a call, in words. */
export interface RuleVerdict {
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear';
  readonly grounds: Extract<Grounds, { readonly rule: string }>;
}

/**
 * Decides about an action: the modes that only read refuse; a `deny` holds; full access allows; `ask` asks; then the
 * mode may allow, then a rule; else the user is asked.
 *
 * @param ruling What the rules say, if one speaks of it.
 * @param isProtected Whether one of its files is protected: short of full access, and of a rule that names it, it is asked about.
 */
export function decide(mode: Mode, action: Action, ruling?: RuleVerdict, isProtected = false): Decision {
  switch (action.kind) {
    case 'none':
    case 'ask-user':
      return ruling?.decision === 'deny' ? denied(ruling.grounds) : { verdict: 'allow' };
    case 'switch-mode':
      return ruling?.decision === 'deny' ? denied(ruling.grounds) : { verdict: 'ask' };
    case 'read':
      return decideRead(mode, ruling, isProtected);
    case 'edit':
    case 'delete':
    case 'move':
    case 'execute':
    case 'fetch':
    case 'mcp':
      return decideGuarded(mode, action, ruling, isProtected);
  }
}

function decideRead(mode: Mode, ruling: RuleVerdict | undefined, isProtected: boolean): Decision {
  switch (ruling?.decision) {
    case 'deny':
      return denied(ruling.grounds);
    case 'ask':
    case 'unclear':
      return mode === 'full-access' ? { verdict: 'allow' } : { verdict: 'ask' };
    case 'allow':
      return { verdict: 'allow', grounds: ruling.grounds };
    case undefined:
      return isProtected && mode !== 'full-access' ? { verdict: 'ask' } : { verdict: 'allow' };
  }
}

function decideGuarded(
  mode: Mode,
  action: GuardedAction,
  ruling: RuleVerdict | undefined,
  isProtected: boolean,
): Decision {
  const byMode: Grounds = { by: 'mode', mode };
  if ((mode === 'read-only' || mode === 'plan') && !(action.kind === 'mcp' && action.isReadOnly)) {
    const reason = `The mode "${mode}" allows no changes and no commands`;
    return { verdict: 'deny', reason, grounds: byMode };
  }
  if (ruling?.decision === 'deny') return denied(ruling.grounds);
  if (mode === 'full-access') {
    return ruling?.decision === 'unclear'
      ? deniedUnclear(ruling.grounds)
      : { verdict: 'allow', grounds: byMode };
  }
  if (ruling?.decision === 'unclear' || ruling?.decision === 'ask') return { verdict: 'ask' };
  const isOfMode = mode === 'workspace-write' && isFileChange(action) && !isProtected;
  if (isOfMode) return { verdict: 'allow', grounds: byMode };
  return ruling === undefined ? { verdict: 'ask' } : { verdict: 'allow', grounds: ruling.grounds };
}

function denied(grounds: RuleVerdict['grounds']): Decision {
  const reason =
    grounds.by === 'session'
      ? `The user rejected this for the whole session: ${grounds.rule}`
      : `Not allowed: ${grounds.rule} applies`;
  return { verdict: 'deny', reason, grounds };
}

/** Elsewhere a person sees such a call; here nobody is asked. */
function deniedUnclear(grounds: RuleVerdict['grounds']): Decision {
  const reason = `Not allowed: ${grounds.rule} may apply, the call cannot be judged, and this mode asks nobody`;
  return { verdict: 'deny', reason, grounds };
}

function isFileChange({ kind }: GuardedAction): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

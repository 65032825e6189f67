import type { Action, GuardedAction } from './action.ts';
import type { Mode } from './mode.ts';

/** Whether a tool call may run. */
export type Decision =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'ask'; readonly action: GuardedAction }
  | { readonly verdict: 'deny'; readonly reason: string };

/** An answer that holds for the rest of the session. */
export type RememberedAnswer = 'allow' | 'reject';

/** Decides about an action; `remembered` is the user's lasting answer about it, if there is one. */
export function decide(mode: Mode, action: Action, remembered?: RememberedAnswer): Decision {
  switch (action.kind) {
    case 'read':
    case 'none':
    case 'ask-user':
      return { verdict: 'allow' };
    case 'edit':
    case 'delete':
    case 'move':
    case 'execute':
    case 'fetch':
    case 'mcp':
      return decideGuarded(mode, action, remembered);
  }
}

function decideGuarded(mode: Mode, action: GuardedAction, remembered?: RememberedAnswer): Decision {
  if ((mode === 'read-only' || mode === 'plan') && !(action.kind === 'mcp' && action.isReadOnly)) {
    return { verdict: 'deny', reason: `The mode "${mode}" allows no changes and no commands` };
  }
  if (remembered === 'reject') {
    return { verdict: 'deny', reason: 'The user rejected this for the whole session' };
  }
  if (mode === 'full-access') return { verdict: 'allow' };
  if (mode === 'workspace-write' && isFileChange(action)) return { verdict: 'allow' };
  return remembered === 'allow' ? { verdict: 'allow' } : { verdict: 'ask', action };
}

function isFileChange({ kind }: GuardedAction): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

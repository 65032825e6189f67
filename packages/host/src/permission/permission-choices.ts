import type { PermissionOption, ToolKind } from '@parley/acp';
import type { AnswerScope, RememberOffer } from '@parley/workspace/rule';

/** The answers to a permission question: those for this call, and lasting ones, which are grouped under "Always…". */
export interface PermissionChoices {
  /** Allows this one call. */
  readonly allow?: PermissionOption;
  /** Rejects this one call. Without it, a rejection is the answer `cancel`, which has no feedback. */
  readonly reject?: PermissionOption;
  /** Further options for this one call, and options of an unknown kind, in the agent's order; all further ones of a change of mode. */
  readonly others: readonly PermissionOption[];
  /** Lasting answers; absent if there are none. */
  readonly always?: LastingChoices;
}

/** What "Always…" opens. */
export interface LastingChoices {
  /** What Parley's own answer would be about: this command, these files. */
  readonly about: RememberOffer['about'];
  /** How long it can apply, allowed or denied; the shortest first. */
  readonly scopes: readonly AnswerScope[];
  /** What the agent remembers by itself: Parley can neither list nor revoke it. */
  readonly agentOptions: readonly PermissionOption[];
}

/**
 * Sorts the agent's options and the answers that Parley can remember. Each option is offered exactly once. An option of a
 * change of mode says in which mode the agent continues: it is no answer to later calls.
 */
export function toPermissionChoices(
  options: readonly PermissionOption[],
  { remember, kind: callKind }: { readonly remember?: RememberOffer; readonly kind?: ToolKind } = {},
): PermissionChoices {
  const allow = options.find(({ kind }) => kind === 'allow_once');
  const reject = options.find(({ kind }) => kind === 'reject_once');
  const agentOptions =
    callKind === 'switch_mode'
      ? []
      : options.filter(({ kind }) => kind === 'allow_always' || kind === 'reject_always');
  const others = options.filter(
    (option) => option !== allow && option !== reject && !agentOptions.includes(option),
  );
  // A user who wants an answer to last wants more than the rest of a turn.
  const scopes = (remember?.scopes ?? []).filter((scope) => scope !== 'turn');
  const hasLasting = scopes.length > 0 || agentOptions.length > 0;
  return {
    ...(allow !== undefined && { allow }),
    ...(reject !== undefined && { reject }),
    others,
    ...(hasLasting && { always: { about: remember?.about ?? [], scopes, agentOptions } }),
  };
}

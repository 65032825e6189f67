import type { PermissionOption, RequestPermissionOutcome } from '@parley/acp';
import type { RuleScope } from '@parley/workspace/rule';
import { scopeText } from './scope-text.ts';

/** What the user may answer; each option's id is its kind, each name says how far the answer reaches. */
export function permissionOptions(scopes: readonly RuleScope[]): PermissionOption[] {
  const scope = `${scopeText(scopes)}, until the session ends`;
  return [
    { optionId: 'allow_once', kind: 'allow_once', name: 'Allow once' },
    { optionId: 'allow_always', kind: 'allow_always', name: `Allow ${scope}` },
    { optionId: 'reject_once', kind: 'reject_once', name: 'Reject once' },
    { optionId: 'reject_always', kind: 'reject_always', name: `Reject ${scope}` },
  ];
}

/** The option that the user chose, by its id; `no-answer`: none of ours. */
export type ChosenOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'no-answer';

/** Where a client gives the reason of a rejection, in the `_meta` of the outcome. */
const reasonMeta = 'parley/reason';

/** Says in the `_meta` of our capabilities that such a reason reaches the model. */
export const rejectReasonMeta = 'parley/reject-reason';

/** How much of a reason is passed to the model. */
const mostReason = 4000;

/** That the user rejected something, and why, where they said it. */
export function rejectionText(what: string, outcome: RequestPermissionOutcome): string {
  const words = outcome.outcome === 'selected' ? outcome._meta?.[reasonMeta] : undefined;
  const reason = typeof words === 'string' ? words.trim().slice(0, mostReason) : '';
  return reason === '' ? what : `${what}: ${reason}`;
}

/** Reads what the client answered; anything that is not one of our options is no permission. */
export function toChosenOption(outcome: RequestPermissionOutcome): ChosenOption {
  if (outcome.outcome !== 'selected') return 'no-answer';
  switch (outcome.optionId) {
    case 'allow_once':
    case 'allow_always':
    case 'reject_once':
    case 'reject_always':
      return outcome.optionId;
    default:
      return 'no-answer';
  }
}

import type { PermissionOption, RequestPermissionOutcome } from '@parley/acp';
import type { RuleScope } from '@parley/workspace/rule';
import { scopeText } from './scope-text.ts';

/** The answers that the user can choose. The id of each is its kind; its name says what it covers. */
export function permissionOptions(scopes: readonly RuleScope[]): PermissionOption[] {
  const scope = `${scopeText(scopes)}, until the session ends`;
  return [
    { optionId: 'allow_once', kind: 'allow_once', name: 'Allow once' },
    { optionId: 'allow_always', kind: 'allow_always', name: `Allow ${scope}` },
    { optionId: 'reject_once', kind: 'reject_once', name: 'Reject once' },
    { optionId: 'reject_always', kind: 'reject_always', name: `Reject ${scope}` },
  ];
}

/** The options for a call about which an answer is valid once: outside of the sandbox, or with protected files. */
export const optionsForOnce: readonly PermissionOption[] = [
  { optionId: 'allow_once', kind: 'allow_once', name: 'Allow once' },
  { optionId: 'reject_once', kind: 'reject_once', name: 'Reject once' },
];

/** The option that the user chose, by its id; `no-answer` for anything else. */
export type ChosenOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'no-answer';

/** Field in the `_meta` of an outcome with the user's reason for a rejection. */
const reasonMeta = 'parley/reason';

/** Field in the `_meta` of our capabilities: such a reason is passed on to the model. */
export const rejectReasonMeta = 'parley/reject-reason';

/** Characters of a user's reason that are passed to the model. */
const mostReason = 4000;

/** The result of a rejected call for the model, with the user's reason if there is one. */
export function rejectionText(what: string, outcome: RequestPermissionOutcome): string {
  const words = outcome.outcome === 'selected' ? outcome._meta?.[reasonMeta] : undefined;
  const reason = typeof words === 'string' ? words.trim().slice(0, mostReason) : '';
  return reason === '' ? what : `${what}: ${reason}`;
}

/** Reads the client's answer; anything except one of the offered options is no permission. */
export function toChosenOption(
  outcome: RequestPermissionOutcome,
  offered: readonly PermissionOption[],
): ChosenOption {
  if (outcome.outcome !== 'selected') return 'no-answer';
  if (!offered.some(({ optionId }) => optionId === outcome.optionId)) return 'no-answer';
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

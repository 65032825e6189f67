import type { PolicyReason, PermissionQuestion } from '@parley/host/hub';
import type { PermissionState } from '@parley/host/state';
import type { Texts } from '../text/en.ts';
import { optionLine } from './option-text.ts';
import { ruleText } from './rule-text.ts';

/** Why the user is asked, translated; in the hub's words if the reason is unknown here. */
export function requestReason(
  { because, why }: Pick<PermissionQuestion, 'because' | 'why'>,
  inbox: Texts['inbox'],
): string {
  return because === undefined ? why : reasonText(because, inbox);
}

/** Why a permission was decided this way, translated; in the words of the event log if the reason is unknown here. */
export function decisionReason(
  {
    answer,
    options,
  }: Pick<PermissionState, 'options'> & { readonly answer: NonNullable<PermissionState['answer']> },
  inbox: Texts['inbox'],
): string {
  const { because, reason, decision } = answer;
  switch (because?.code) {
    case 'level':
    case 'rules':
    case 'opaque':
    case 'protected':
    case 'outside':
    case 'blocked':
    case 'sandboxed':
    case 'only-always':
      return reasonText(because, inbox);
    case 'answered': {
      const { lasting, words = '' } = because;
      const option = options.find(({ optionId }) => optionId === decision);
      const said =
        lasting === undefined
          ? option === undefined
            ? decision
            : optionLine(option, inbox)
          : inbox.decisionFor(lasting.decision, lasting.scope);
      return words === '' ? said : inbox.saidWith(said, words);
    }
    case 'dismissed':
      return inbox.dismissed;
    case 'turn-cancelled':
      return inbox.turnCancelled;
    case 'turn-timeout':
      return inbox.turnTimeout;
    case undefined:
      return reason;
  }
}

function reasonText(because: PolicyReason, inbox: Texts['inbox']): string {
  const { kinds, because: words } = inbox;
  switch (because.code) {
    case 'level': {
      const { level, kind, isCovered } = because;
      const what = kind === undefined ? words.noKind : `“${kinds[kind]}”`;
      return (isCovered === true ? words.covered : words.level)(level, what);
    }
    case 'rules': {
      const rules = because.rules.map((rule) =>
        words.owned(words.owners[rule.origin ?? 'other'], inbox.ruled[rule.decision], ruleText(rule, inbox)),
      );
      return (because.isUnclear === true ? words.unclear : words.applies)(rules);
    }
    case 'opaque':
      return words.opaque;
    case 'protected':
      return words.protected(because.path, words.protections[because.protection]);
    case 'outside':
      return words.outside(because.path);
    case 'blocked':
      return words.blocked(because.host);
    case 'sandboxed':
      return words.sandboxed(because.mode);
    case 'only-always':
      return words.onlyAlways;
  }
}

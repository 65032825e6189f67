import type { Because, PermissionQuestion } from '@parley/host/hub';
import type { PermissionView } from '@parley/host/view';
import type { Texts } from '../text/en.ts';
import { optionLine } from './option-text.ts';
import { ruleText } from './rule-text.ts';

/** Why a person is asked, in the words of the interface; in those of the hub where it says no more. */
export function whyText(
  { because, why }: Pick<PermissionQuestion, 'because' | 'why'>,
  decide: Texts['decide'],
): string {
  return because === undefined ? why : becauseText(because, decide);
}

/** Why a permission was answered as it was, in the words of the interface; in those of the event log where it says no more. */
export function answerText(
  {
    answer,
    options,
  }: Pick<PermissionView, 'options'> & { readonly answer: NonNullable<PermissionView['answer']> },
  decide: Texts['decide'],
): string {
  const { because, reason, decision } = answer;
  switch (because?.code) {
    case 'level':
    case 'rules':
    case 'opaque':
    case 'protected':
    case 'outside':
    case 'only-always':
      return becauseText(because, decide);
    case 'answered': {
      const { lasting, words = '' } = because;
      const option = options.find(({ optionId }) => optionId === decision);
      const said =
        lasting === undefined
          ? option === undefined
            ? decision
            : optionLine(option, decide)
          : decide.decideFor(lasting.decision, lasting.scope);
      return words === '' ? said : decide.saidWith(said, words);
    }
    case 'dismissed':
      return decide.dismissed;
    case 'turn-cancelled':
      return decide.turnCancelled;
    case undefined:
      return reason;
  }
}

function becauseText(because: Because, decide: Texts['decide']): string {
  const { kinds, because: words } = decide;
  switch (because.code) {
    case 'level': {
      const { level, kind, isCovered } = because;
      const what = kind === undefined ? words.noKind : kinds[kind];
      return (isCovered === true ? words.covered : words.level)(level, what);
    }
    case 'rules': {
      const rules = because.rules.map((rule) =>
        words.owned(
          words.owners[rule.origin ?? 'other'],
          decide.ruled[rule.decision],
          ruleText(rule, decide),
        ),
      );
      return (because.isUnclear === true ? words.unclear : words.applies)(rules);
    }
    case 'opaque':
      return words.opaque;
    case 'protected':
      return words.protected(because.path, words.protections[because.protection]);
    case 'outside':
      return words.outside(because.path);
    case 'only-always':
      return words.onlyAlways;
  }
}

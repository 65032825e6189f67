import type { PermissionQuestion } from '@parley/host/desk';
import type { Texts } from '../text/en.ts';
import { ruleText } from './rule-text.ts';

/** Why a person is asked, in the words of the interface; in those of the desk where it says no more. */
export function becauseText(
  { because, why }: Pick<PermissionQuestion, 'because' | 'why'>,
  decide: Texts['decide'],
): string {
  const { kinds, because: words } = decide;
  switch (because?.code) {
    case 'level':
      return words.level(because.level, because.kind === undefined ? words.noKind : kinds[because.kind]);
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
    case undefined:
      return why;
  }
}

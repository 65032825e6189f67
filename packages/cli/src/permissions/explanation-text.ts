import { ruleReason } from '@parley/host';
import { commandText } from '@parley/workspace';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import type { ExplainedPart, Explanation, Outcome, UncoveredRule } from './explanation.ts';

/** Displayed characters of a command, path or reason. */
const maxLength = 1000;

/** An explanation as text. */
export function showExplanation(
  { subject, rules, parts, uncovered, outcomes }: Explanation,
  style: Style,
): string {
  const { kind = 'other', command, paths, host } = subject;
  const what = command === undefined ? (host ?? paths.join(', ')) : commandText(command);
  const lines = [
    style.bold(`${kind}: ${toPlainLine(what, maxLength)}`),
    ...(rules.length === 0
      ? ['  No rule matches it.']
      : [
          '  Rules that match it:',
          ...rules.map((rule) => `    ${toPlainLine(ruleReason(rule), maxLength)}`),
        ]),
    ...showParts(parts),
    ...showUncovered(uncovered),
    '  What happens:',
    ...outcomes.flatMap((outcome) => showOutcome(outcome, style)),
  ];
  return `${lines.join('\n')}\n`;
}

function showParts(parts: readonly ExplainedPart[] | undefined): readonly string[] {
  if (parts === undefined) {
    return ['  It cannot be parsed reliably: only a rule for exactly this command allows it.'];
  }
  if (parts.length < 2) return [];
  return [
    '  Part by part:',
    ...parts.map((part) => `    ${decisions[part.decision]}  ${toPlainLine(part.command)}`),
  ];
}

function showUncovered(uncovered: readonly UncoveredRule[]): readonly string[] {
  if (uncovered.length === 0) return [];
  return [
    '  Rules with its first words that do not cover it:',
    ...uncovered.flatMap(({ rule, reason }) => [
      `    ${toPlainLine(ruleReason(rule), maxLength)}`,
      `      ${toPlainLine(reason, maxLength)}`,
    ]),
  ];
}

/** Of one width. */
const decisions: Readonly<Record<ExplainedPart['decision'], string>> = {
  allow: 'allowed  ',
  ask: 'asked    ',
  deny: 'denied   ',
  unclear: 'unclear  ',
  none: 'no rule  ',
};

function showOutcome(outcome: Outcome, style: Style): readonly string[] {
  const { decision, reason } = outcome;
  const what = decision === 'ask' && isAlone(outcome) ? 'rejected: no user to ask' : mark(decision, style);
  return [
    `    ${circumstance(outcome).padEnd(22)}${what}`,
    `      ${style.dim(toPlainLine(reason, maxLength))}`,
  ];
}

/** Without a terminal no user can be asked. */
function isAlone({ level, isGiven }: Outcome): boolean {
  return !isGiven && level !== 'ask';
}

function circumstance(outcome: Outcome): string {
  if (outcome.isGiven) return `--approve ${outcome.level}`;
  return isAlone(outcome) ? 'without a terminal' : 'on a terminal';
}

function mark(decision: Outcome['decision'], style: Style): string {
  switch (decision) {
    case 'allow':
      return style.green('allowed');
    case 'reject':
      return style.red('rejected');
    case 'ask':
      return 'asks the user';
  }
}

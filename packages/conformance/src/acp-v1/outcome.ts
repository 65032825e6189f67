import { CheckError, type Evidence } from './check-error.ts';
import { cut } from './json-value.ts';
import type { CheckResult, Rule } from './requirement.ts';
import type { StableText } from './stable-text.ts';

/** What a check is reported with besides its error. */
export interface OutcomeOptions {
  readonly names: StableText;
  /** Where the error names no messages. */
  readonly evidence?: Evidence | undefined;
  /** Whether the other side chose the ids in its messages. @default false */
  readonly hasOwnIds?: boolean;
}

/** The result of a check that met its rule. */
export function passed(rule: Rule): CheckResult {
  return { ...fields(rule), outcome: 'passed' };
}

/** The result of a check that does not apply. */
export function skipped(rule: Rule, reason: string): CheckResult {
  return { ...fields(rule), outcome: 'skipped', detail: reason };
}

/** The result of a check that rejected or threw. */
export function toResult(
  rule: Rule,
  error: unknown,
  { names, evidence, hasOwnIds = false }: OutcomeOptions,
): CheckResult {
  const { sent, received } = (error instanceof CheckError ? error.evidence : undefined) ?? evidence ?? {};
  if (hasOwnIds) names.addIds(received);
  const reason = cut(names.text(error instanceof Error ? error.message : String(error)), maxReasonCharacters);
  if (error instanceof CheckError && error.code === 'not-applicable') return skipped(rule, reason);
  const detail = [
    `Found: ${reason}`,
    `Expected: ${rule.rule}`,
    ...(sent === undefined ? [] : [`Sent: ${names.json(sent, maxShownCharacters)}`]),
    ...(received === undefined ? [] : [`Received: ${names.json(received, maxShownCharacters)}`]),
  ].join('\n');
  return { ...fields(rule), outcome: 'failed', detail };
}

function fields({ id, level, rule, source }: Rule): Rule {
  return { id, level, rule, source };
}

/** The longest reason in a report. */
const maxReasonCharacters = 500;
/** How much of a message a report shows. */
const maxShownCharacters = 400;

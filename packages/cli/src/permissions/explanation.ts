import {
  decide,
  type StoredAnswerRule,
  type ApprovalLevel,
  type PolicyDecision,
  type PermissionSubject,
} from '@parley/host';
import { ruleOn, splitCommand, uncoveredReason, type CommandPart, type CommandWord } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';

type ExplainedRule = ConfiguredRule | StoredAnswerRule;

/** What would be decided about one call, and why. */
export interface Explanation {
  readonly subject: PermissionSubject;
  /** The rules that speak of the call as a whole, or of a part of its command. */
  readonly rules: readonly ExplainedRule[];
  /** What runs as a program of its own; undefined when that cannot be said for certain, empty where no command is. */
  readonly parts: readonly ExplainedPart[] | undefined;
  /** Rules that allow what begins like the command, and do not cover it. */
  readonly uncovered: readonly UncoveredRule[];
  readonly outcomes: readonly Outcome[];
}

/** A rule that allows commands by their first words, and why it does not cover this one. */
export interface UncoveredRule {
  readonly rule: ExplainedRule;
  /** The first option, word or variable that is not known to be harmless. */
  readonly reason: string;
}

/** One command of a shell line, and what rules say about it alone. */
export interface ExplainedPart {
  readonly command: string;
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear' | 'none';
  readonly rules: readonly ExplainedRule[];
}

/** What happens in one circumstance. */
export interface Outcome extends PolicyDecision {
  readonly level: ApprovalLevel;
  /** Whether the level is given, or the default on a terminal (`ask`) or without one (`reads`). */
  readonly isGiven: boolean;
}

/** What a call is held against. */
export interface ExplainOptions {
  readonly rules: readonly ConfiguredRule[];
  /** What the user answered before. */
  readonly answers: readonly StoredAnswerRule[];
  readonly cwd: string;
}

/** Explains what would be decided about a call. */
export function explain(subject: PermissionSubject, options: ExplainOptions): Explanation {
  const { cwd, answers } = options;
  const rules = [...options.rules, ...answers];
  const parts = partsOf(subject, rules, cwd);
  const speaking = rules.filter(
    (rule) =>
      ruleOn(subject, [rule], cwd) !== undefined || parts?.some((part) => part.rules.includes(rule)) === true,
  );
  const outcomes = circumstances.map(({ level, isGiven }) => ({
    level,
    isGiven,
    ...decide(subject, { approve: { level, given: isGiven }, rules: options.rules }, cwd, answers),
  }));
  return { subject, rules: speaking, parts, uncovered: uncoveredBy(subject, rules), outcomes };
}

function uncoveredBy(
  { command }: PermissionSubject,
  rules: readonly ExplainedRule[],
): readonly UncoveredRule[] {
  if (command === undefined) return [];
  return rules.flatMap((rule) => {
    if (rule.decision !== 'allow' || rule.commandPrefix === undefined) return [];
    const reason = uncoveredReason(rule.commandPrefix, command);
    return reason === undefined ? [] : [{ rule, reason }];
  });
}

const circumstances: readonly Pick<Outcome, 'level' | 'isGiven'>[] = [
  { level: 'ask', isGiven: false },
  { level: 'reads', isGiven: false },
  { level: 'reads', isGiven: true },
  { level: 'edits', isGiven: true },
  { level: 'all', isGiven: true },
  { level: 'none', isGiven: true },
];

function partsOf(
  subject: PermissionSubject,
  rules: readonly ExplainedRule[],
  cwd: string,
): readonly ExplainedPart[] | undefined {
  if (typeof subject.command !== 'string') return [];
  return splitCommand(subject.command)?.map((part) => {
    const command = partText(part);
    const alone = { ...subject, command };
    const speaking = rules.filter((rule) => ruleOn(alone, [rule], cwd) !== undefined);
    return { command, decision: ruleOn(alone, rules, cwd)?.decision ?? 'none', rules: speaking };
  });
}

/** A part as a line of its own. */
function partText({ assignments, words, writes, reads }: CommandPart): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${wordText(value)}`),
    ...words.map(wordText),
    ...writes.map((file) => `> ${wordText(file)}`),
    ...reads.map((file) => `< ${wordText(file)}`),
  ].join(' ');
}

function wordText({ text, isLiteral }: CommandWord): string {
  if (!isLiteral || /^[\w./:@%+,=-]+$/u.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, literalWords, partsOf } from './command.ts';
import { isCovered } from './cover-part.ts';
import { plainWords, prefixWords } from './prefix.ts';
import { matchWidely, mentions, toMentioningText } from './started/match-widely.ts';
import { startedBy, startedLine } from './started/started-command.ts';

/** The commands that a rule matches; a rule without these fields matches each command. */
export interface CommandRule {
  /** The whole command, compared exactly; a `deny` also holds where it is a part of another command. */
  readonly command?: string;
  /** The first whole words of each part. */
  readonly commandPrefix?: string;
}

/** A rule with its decision. */
export interface DecidingRule extends CommandRule {
  readonly decision: 'allow' | 'ask' | 'deny';
}

/**
 * The combined decision of rules. `unclear`: a `deny` might match, but this is not certain; the user must decide,
 * even if another rule allows the command. Undefined: no rule matches.
 */
export type CommandDecision = 'allow' | 'ask' | 'deny' | 'unclear' | undefined;

/** Checks whether a rule that allows covers a command: all of it, each part. */
export function matchesCommand(rule: CommandRule, command: Command): boolean {
  if (rule.command !== undefined && !isSameCommand(rule.command, command)) return false;
  if (rule.commandPrefix === undefined) return true;
  return isEachCovered([prefixWords(rule.commandPrefix)], partsOf(command));
}

/**
 * Combines rules. A `deny` on any part always applies. A match of the whole command takes precedence over its parts,
 * and `ask` over `allow`; a command is allowed if each of its parts is. The first words of rules that deny or ask
 * also match behind paths, wrappers and options, and in lines for a shell; those of rules that allow cover only
 * commands that are known not to run or write anything else.
 */
export function decideCommand(rules: readonly DecidingRule[], command: Command): CommandDecision {
  const whole = rules.filter((rule) => rule.commandPrefix === undefined && matchesCommand(rule, command));
  const decidesWhole = (decision: DecidingRule['decision'], isExact: boolean): boolean =>
    whole.some((rule) => rule.decision === decision && (rule.command !== undefined) === isExact);
  const byParts = decideParts(prefixRules(rules, command), partsOf(command));
  if (byParts === 'deny' || decidesWhole('deny', true) || decidesWhole('deny', false)) return 'deny';
  if (decidesWhole('allow', true)) return decidesWhole('ask', true) ? 'ask' : 'allow';
  if (byParts !== 'unclear' && decidesWhole('ask', true)) return 'ask';
  if (byParts === 'unclear' || byParts === 'ask') return byParts;
  if (decidesWhole('ask', false)) return 'ask';
  return decidesWhole('allow', false) ? 'allow' : byParts;
}

interface PrefixRule {
  readonly prefix: readonly string[];
  readonly decision: DecidingRule['decision'];
  /** Nothing may follow the words: they are a whole command. */
  readonly isWhole?: boolean;
}

function prefixRules(rules: readonly DecidingRule[], command: Command): readonly PrefixRule[] {
  return rules.flatMap((rule) => {
    if (rule.commandPrefix === undefined) return rule.decision === 'deny' ? wholeCommand(rule) : [];
    if (rule.command !== undefined && !isSameCommand(rule.command, command)) return [];
    return [{ prefix: prefixWords(rule.commandPrefix), decision: rule.decision }];
  });
}

/** What a rule about a whole command denies as a part of another one, behind a wrapper or in a list. */
function wholeCommand({ command, decision }: DecidingRule): readonly PrefixRule[] {
  const prefix = command === undefined ? undefined : plainWords(command);
  return prefix === undefined ? [] : [{ prefix, decision, isWhole: true }];
}

function isSameCommand(wanted: string, command: Command): boolean {
  if (typeof command === 'string') return wanted === command;
  const started = startedLine(literalWords(command));
  if (started?.isKnown === true && started.line === wanted) return true;
  const words = plainWords(wanted);
  return words?.length === command.length && words.every((word, index) => word === command[index]);
}

function decideParts(
  rules: readonly PrefixRule[],
  parts: readonly CommandPart[] | undefined,
): CommandDecision {
  const careful = decideCarefully(rules, parts, 0);
  if (careful !== undefined) return careful;
  const allowing = rules.flatMap(({ prefix, decision }) => (decision === 'allow' ? [prefix] : []));
  return isEachCovered(allowing, parts) ? 'allow' : undefined;
}

function isEachCovered(
  prefixes: readonly (readonly string[])[],
  parts: readonly CommandPart[] | undefined,
): boolean {
  return parts !== undefined && parts.length > 0 && parts.every((part) => isCovered(prefixes, part));
}

/** Nesting depth of commands; deeper ones are treated as possible matches. */
const mostDepth = 8;

/** The decision of the rules that deny or ask. */
function decideCarefully(
  rules: readonly PrefixRule[],
  parts: readonly CommandPart[] | undefined,
  depth: number,
): CommandDecision {
  const careful = rules.filter(({ decision }) => decision !== 'allow');
  if (careful.length === 0) return undefined;
  if (parts === undefined) return decideUnknown(careful);
  return mostCareful(
    parts.flatMap(({ words, assignments }) => [
      decideStarted(careful, words, depth),
      // A variable may name a program that is run: a pager, an editor.
      decideMentioned(careful, assignments.map(({ value }) => value.text).join('\n')),
    ]),
  );
}

/** Decides on a command, and on all that it starts. */
function decideStarted(
  rules: readonly PrefixRule[],
  words: readonly CommandWord[],
  depth: number,
): CommandDecision {
  if (depth > mostDepth) return decideUnknown(rules);
  const { commands, lines, isOpaque, isInert } = startedBy(words);
  return mostCareful([
    decideWords(rules, words),
    ...commands.map(({ words: inner, isCertain }) => {
      const decision = decideStarted(rules, inner, depth + 1);
      return decision === 'deny' && !isCertain ? 'unclear' : decision;
    }),
    ...lines.map((line) => decideCarefully(rules, partsOf(line), depth + 1)),
    ...(isOpaque ? [decideUnknown(rules)] : []),
    ...(isInert ? [] : [decideMentioned(rules, textOf(words.slice(1)))]),
  ]);
}

function textOf(words: readonly CommandWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** The decision about an unknown command: each rule may apply. */
function decideUnknown(rules: readonly PrefixRule[]): CommandDecision {
  if (rules.some((rule) => rule.decision === 'deny')) return 'unclear';
  return rules.some((rule) => rule.decision === 'ask') ? 'ask' : undefined;
}

/** The decision about a text: a rule whose words occur in it may apply. */
function decideMentioned(rules: readonly PrefixRule[], text: string): CommandDecision {
  if (text === '') return undefined;
  const mentioning = toMentioningText(text);
  return decideUnknown(rules.filter(({ prefix }) => mentions(prefix, mentioning)));
}

function decideWords(rules: readonly PrefixRule[], words: readonly CommandWord[]): CommandDecision {
  const decisions = rules.map(({ prefix, decision, isWhole = false }): CommandDecision => {
    const match = isWhole && hasMoreWords(prefix, words) ? 'no' : matchWidely(prefix, words);
    if (match === 'no') return undefined;
    return match === 'maybe' && decision === 'deny' ? 'unclear' : decision;
  });
  return mostCareful(decisions);
}

/** Whether more follows than the words of a rule; options may come between them. */
function hasMoreWords(prefix: readonly string[], words: readonly CommandWord[]): boolean {
  if (words.length <= prefix.length) return false;
  const last = words.at(-1);
  return last?.isLiteral === true && last.text !== prefix.at(-1);
}

function mostCareful(decisions: readonly CommandDecision[]): CommandDecision {
  return (['deny', 'unclear', 'ask'] as const).find((decision) => decisions.includes(decision));
}

import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, literalWords, partsOf } from './command.ts';
import { type PrefixMatch, isPlain, matchWords, plainWords, prefixWords } from './prefix.ts';
import { startedCommands, startedLine } from './started-command.ts';

/** Which commands a rule is about; one that says neither is about each command. */
export interface CommandRule {
  /** The whole command, compared exactly. */
  readonly command?: string;
  /** The first whole words of each part. */
  readonly commandPrefix?: string;
}

/** A rule, and what it decides about its commands. */
export interface DecidingRule extends CommandRule {
  readonly decision: 'allow' | 'ask' | 'deny';
}

/**
 * What rules say together. `unclear`: a `deny` may be meant, but the command cannot be judged for certain;
 * a person has to see it, whatever else would allow it. Undefined: the rules say nothing about it.
 */
export type CommandDecision = 'allow' | 'ask' | 'deny' | 'unclear' | undefined;

/** Whether a rule covers a command: all of it, each part. */
export function matchesCommand(rule: CommandRule, command: Command): boolean {
  if (rule.command !== undefined && !isSameCommand(rule.command, command)) return false;
  if (rule.commandPrefix === undefined) return true;
  return (
    decideParts([{ prefix: prefixWords(rule.commandPrefix), decision: 'allow' }], partsOf(command)) ===
    'allow'
  );
}

/**
 * Puts rules together: `deny` always holds, on any part; the whole command comes before its parts; `ask` comes before
 * `allow`; and a command is allowed when each of its parts is.
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
}

function prefixRules(rules: readonly DecidingRule[], command: Command): readonly PrefixRule[] {
  return rules.flatMap((rule) => {
    if (rule.commandPrefix === undefined) return [];
    if (rule.command !== undefined && !isSameCommand(rule.command, command)) return [];
    return [{ prefix: prefixWords(rule.commandPrefix), decision: rule.decision }];
  });
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
  if (parts === undefined) return decideUnknown(rules);
  const decisions = parts.map((part) => decidePart(rules, part));
  const isEachAllowed = decisions.length > 0 && decisions.every((decision) => decision === 'allow');
  return mostCareful(decisions) ?? (isEachAllowed ? 'allow' : undefined);
}

function decidePart(rules: readonly PrefixRule[], part: CommandPart): CommandDecision {
  const decide = (words: readonly CommandWord[]): readonly CommandDecision[] => [
    decideWords(rules, words),
    decideLine(rules, words),
  ];
  const own = decide(part.words);
  const started = startedCommands(part.words)?.flatMap(decide) ?? [decideUnknown(rules)];
  // What is perhaps started, and denied, is a reason to ask.
  const perhaps = started.map((decision) => (decision === 'deny' ? 'unclear' : decision));
  return mostCareful([...own, ...perhaps]) ?? (isPlain(part) && own.includes('allow') ? 'allow' : undefined);
}

/** Each rule may be meant. */
function decideUnknown(rules: readonly PrefixRule[]): CommandDecision {
  if (rules.some((rule) => rule.decision === 'deny')) return 'unclear';
  return rules.some((rule) => rule.decision === 'ask') ? 'ask' : undefined;
}

/** Decides on a line that is handed to a shell. */
function decideLine(rules: readonly PrefixRule[], words: readonly CommandWord[]): CommandDecision {
  const started = startedLine(words);
  if (started === undefined) return undefined;
  return decideParts(rules, started.isKnown ? partsOf(started.line) : undefined);
}

function decideWords(rules: readonly PrefixRule[], words: readonly CommandWord[]): CommandDecision {
  const found = (decision: PrefixRule['decision'], match: PrefixMatch): boolean =>
    rules.some((rule) => rule.decision === decision && matchWords(rule.prefix, words) === match);
  if (found('deny', 'yes')) return 'deny';
  if (found('deny', 'maybe')) return 'unclear';
  if (found('ask', 'yes') || found('ask', 'maybe')) return 'ask';
  return found('allow', 'yes') ? 'allow' : undefined;
}

function mostCareful(decisions: readonly CommandDecision[]): CommandDecision {
  return (['deny', 'unclear', 'ask'] as const).find((decision) => decisions.includes(decision));
}

import type { Command } from '../command/command.ts';
import { decideCommand, type CommandDecision } from '../command/decide-command.ts';
import { variablesAreHarmless } from '../command/variables.ts';
import { protectionOf } from '../files/protection/protection.ts';
import { filesOf, ruleOnFiles } from './file-ruling.ts';
import { literalPath, matchesPath } from './path-pattern.ts';
import { isCareful, ruleApplies } from './rule-applies.ts';
import type { Rule } from './rule.ts';
import type { Ruling } from './ruling.ts';
import type { Subject } from './subject.ts';

/**
 * Combines the rules that match a tool call; undefined if none does. A `deny` on any part applies; `ask` takes
 * precedence over `allow`; each part of a command and each path need an `allow`. Rules that deny files, or ask about
 * them, also apply to commands that name these files.
 *
 * @param cwd The session's directory, which paths of rules are relative to.
 * @param now In milliseconds since 1970; rules can expire.
 */
export function ruleOn<R extends Rule>(
  subject: Subject,
  rules: readonly R[],
  cwd: string,
  now: number = Date.now(),
): Ruling<R> | undefined {
  const holding = rules.filter((rule) => ruleApplies(rule, subject, { cwd, now }));
  const ruling = ruleOnCall(subject, holding, cwd);
  const onFiles = ruleOnShownFiles(subject, holding, cwd);
  if (onFiles === undefined || onFiles.decision === 'deny') return mostCareful(ruling, onFiles);
  // Who allows a command word by word has seen what it is about.
  const isAllowedWhole =
    ruling?.decision === 'allow' && ruling.rules.some((rule) => rule.command !== undefined);
  return isAllowedWhole ? ruling : mostCareful(ruling, onFiles);
}

/** What rules about files say to a command by the files that stand in it. */
function ruleOnShownFiles<R extends Rule>(
  subject: Subject,
  rules: readonly R[],
  cwd: string,
): Ruling<R> | undefined {
  const careful = rules.filter(
    (rule) => isCareful(rule) && rule.path !== undefined && !speaksOfCommands(rule),
  );
  if (subject.command === undefined || careful.length === 0) return undefined;
  const files = filesOf(subject, cwd);
  const found = careful.map((rule) => ({
    rule,
    decision: ruleOnFiles(rule, files, (file) => covers(rule, file, cwd)),
  }));
  const decision = carefulFirst.find((each) => found.some((one) => one.decision === each));
  if (decision === undefined) return undefined;
  return { decision, rules: found.filter((one) => one.decision === decision).map(({ rule }) => rule) };
}

const carefulFirst = ['deny', 'unclear', 'ask', 'allow'] as const;

function mostCareful<R extends Rule>(
  left: Ruling<R> | undefined,
  right: Ruling<R> | undefined,
): Ruling<R> | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return carefulFirst.indexOf(left.decision) <= carefulFirst.indexOf(right.decision) ? left : right;
}

function ruleOnCall<R extends Rule>(
  subject: Subject,
  rules: readonly R[],
  cwd: string,
): Ruling<R> | undefined {
  const applying = rules.filter((rule) => applies(rule, subject, cwd));
  const decision = putTogether(applying, subject, cwd);
  if (decision === undefined) return undefined;
  const alone = applying.filter((rule) => putTogether([rule], subject, cwd) === decision);
  if (alone.length > 0) return { decision, rules: alone };
  const together = applying.filter((rule) => rule.decision === decision);
  return { decision, rules: together.length > 0 ? together : applying };
}

/** Whether a rule speaks of a call of this kind, on one of these paths. */
function applies(rule: Rule, subject: Subject, cwd: string): boolean {
  if (!isOfItsTool(rule, subject)) return false;
  return isAnyPath(rule, subject) || subject.paths.some((path) => covers(rule, path, cwd));
}

function isOfItsTool(rule: Rule, { kind = 'other', otherKinds, tool, command }: Subject): boolean {
  if (otherKinds?.includes(rule.tool) === true && isCareful(rule)) return true;
  if (rule.tool === '*') return command !== undefined || !speaksOfCommands(rule) || mayBeCommand(kind);
  if (rule.tool === kind) return true;
  // What shows a command is held to the rules for commands, regardless of its kind.
  if (rule.tool === 'execute' && command !== undefined && isCareful(rule)) return true;
  if (tool === undefined || kinds.has(rule.tool)) return false;
  return rule.tool.endsWith('*') ? tool.startsWith(rule.tool.slice(0, -1)) : tool === rule.tool;
}

/** The kinds of ACP; a tool that takes the name of one is not meant by it. */
const kinds: ReadonlySet<string> = new Set(
  'read edit delete move search execute think fetch switch_mode other'.split(' '),
);

function mayBeCommand(kind: string): boolean {
  return kind === 'execute' || kind === 'other';
}

/** A change of files that names none may be one of any file. */
function isAnyPath(rule: Rule, { kind, command, paths }: Subject): boolean {
  if (rule.path === undefined) return true;
  return isCareful(rule) && command === undefined && paths.length === 0 && changesFiles(kind);
}

function changesFiles(kind: string | undefined): boolean {
  return kind === 'edit' || kind === 'delete' || kind === 'move';
}

function covers(rule: Rule, path: string, cwd: string): boolean {
  if (rule.path === undefined) return true;
  const extent = isCareful(rule) ? 'with-below' : 'exact';
  return matchesPath(rule.path, path, extent, { cwd }) ?? isCareful(rule);
}

function putTogether(rules: readonly Rule[], subject: Subject, cwd: string): CommandDecision {
  const { command } = subject;
  const coversAll = (allowing: readonly Rule[]): boolean => allowsEachPath(allowing, subject, cwd);
  if (command !== undefined) {
    if (!variablesAreHarmless(subject.variables ?? [])) return decideUnknown(rules, command);
    return decideCommand(
      rules.filter((rule) => isCareful(rule) || coversAll([rule])),
      command,
    );
  }
  const found = (decision: Rule['decision'], isShown: boolean): readonly Rule[] =>
    rules.filter((rule) => rule.decision === decision && isAboutShown(rule, subject) === isShown);
  if (found('deny', true).length > 0) return 'deny';
  if (found('deny', false).length > 0) return 'unclear';
  if (found('ask', true).length > 0 || found('ask', false).length > 0) return 'ask';
  return coversAll(found('allow', true)) ? 'allow' : undefined;
}

/** What runs is not what the words say: a `deny` of these words holds, any other one may be meant, and nothing is allowed. */
function decideUnknown(rules: readonly Rule[], command: Command): CommandDecision {
  const careful = rules.filter(isCareful);
  if (decideCommand(careful, command) === 'deny') return 'deny';
  if (careful.some(({ decision }) => decision === 'deny')) return 'unclear';
  return careful.length > 0 ? 'ask' : undefined;
}

/** Whether each path of a call is covered: one that is outside by a rule with a path, a protected one by its name. */
function allowsEachPath(allowing: readonly Rule[], subject: Subject, cwd: string): boolean {
  const { paths, outside = [], protected: protectedPaths = [] } = subject;
  const all = [...new Set([...paths, ...outside, ...protectedPaths])];
  if (all.length === 0) return allowing.some((rule) => rule.path === undefined);
  return all.every((path) =>
    allowing.some((rule) => {
      if (rule.path === undefined && outside.includes(path)) return false;
      // A rule about the whole command names each file that stands in it.
      const isNamed = rule.command !== undefined || namesProtected(rule, cwd);
      if (protectedPaths.includes(path) && !isNamed) return false;
      return covers(rule, path, cwd);
    }),
  );
}

/** Whether a rule's path names something protected in plain letters: a glob that happens to cover it does not. */
function namesProtected({ path }: Rule, cwd: string): boolean {
  return path !== undefined && protectionOf(literalPath(path, { cwd }), [cwd]) !== undefined;
}

/** Whether the rule is about what the call shows; else it may be meant, or not. */
function isAboutShown(rule: Rule, subject: Subject): boolean {
  if (speaksOfCommands(rule)) return false;
  const isPathShown = rule.path === undefined || subject.paths.length > 0;
  return isPathShown && (rule.host === undefined || subject.host !== undefined);
}

function speaksOfCommands(rule: Rule): boolean {
  return rule.command !== undefined || rule.commandPrefix !== undefined;
}

import { resolve, sep } from 'node:path';
import { decideCommand, type CommandDecision } from '@parley/workspace';
import type { Rule } from './policy.ts';
import type { Subject } from './subject.ts';

/** What rules say together about a tool call, and which of them say so. */
export interface Ruling {
  /** `unclear`: a `deny` may be meant, but what the call would do is not shown, or cannot be judged. */
  readonly decision: NonNullable<CommandDecision>;
  readonly rules: readonly Rule[];
}

/** Puts the rules that speak of a tool call together; nothing when none does. */
export function ruleOn(subject: Subject, rules: readonly Rule[], cwd: string): Ruling | undefined {
  const applying = rules.filter((rule) => applies(rule, subject, cwd));
  const decision = putTogether(applying, subject);
  if (decision === undefined) return undefined;
  const saying = applying.filter((rule) => putTogether([rule], subject) === decision);
  return { decision, rules: saying.length > 0 ? saying : applying };
}

/** Whether a rule speaks of a call of this kind on these paths. */
function applies(rule: Rule, { kind, command, paths }: Subject, cwd: string): boolean {
  const isOfItsKind = rule.tool === (kind ?? 'other');
  if (rule.decision === 'allow') {
    return isOfItsKind && (rule.path === undefined || areAllWithin(paths, rule.path, cwd));
  }
  // What shows a command is held to the rules for commands, whatever it calls itself.
  const isCommand = rule.tool === 'execute' && command !== undefined;
  return (isOfItsKind || isCommand) && (rule.path === undefined || isAnyWithin(paths, rule.path, cwd));
}

function putTogether(rules: readonly Rule[], { command }: Subject): CommandDecision {
  if (command !== undefined) return decideCommand(rules, command);
  const decides = (decision: Rule['decision'], isAboutCommands: boolean): boolean =>
    rules.some((rule) => rule.decision === decision && speaksOfCommands(rule) === isAboutCommands);
  if (decides('deny', false)) return 'deny';
  if (decides('deny', true)) return 'unclear';
  if (decides('ask', false) || decides('ask', true)) return 'ask';
  return decides('allow', false) ? 'allow' : undefined;
}

function speaksOfCommands(rule: Rule): boolean {
  return rule.command !== undefined || rule.commandPrefix !== undefined;
}

function isAnyWithin(paths: readonly string[], folder: string, cwd: string): boolean {
  return paths.some((path) => isWithin(path, folder, cwd));
}

function areAllWithin(paths: readonly string[], folder: string, cwd: string): boolean {
  return paths.length > 0 && paths.every((path) => isWithin(path, folder, cwd));
}

function isWithin(path: string, folder: string, cwd: string): boolean {
  const root = resolve(cwd, folder);
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

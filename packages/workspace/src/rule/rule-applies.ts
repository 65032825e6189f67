import { staysInFolder } from '../command/stays-in-folder.ts';
import { matchesHost } from './host-pattern.ts';
import { matchesPath } from './path-pattern.ts';
import { ruleEnd, ruleFieldNames, type RuleField } from './rule-fields.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/** Whether the circumstances that a rule names are those of a call: all its fields but what is matched part by part. */
export function ruleApplies(rule: Rule, subject: Subject, place: RulePlace): boolean {
  return ruleFieldNames.every((field) => {
    const matching = matchings[field];
    const value = rule[field];
    if (value === undefined || matching === 'by-part') return true;
    return matching(value, { ...place, rule, subject }) ?? isCareful(rule);
  });
}

/** What cannot be judged counts for such a rule, and the other way round. */
export function isCareful({ decision }: Rule): boolean {
  return decision !== 'allow';
}

/** Where and when rules are held against a call. */
export interface RulePlace {
  /** The session's directory, which paths are relative to. */
  readonly cwd: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

interface Circumstances extends RulePlace {
  readonly rule: Rule;
  readonly subject: Subject;
}

/** Whether a value is that of a call; undefined where that is unknown. */
type Matching = (value: string, circumstances: Circumstances) => boolean | undefined;

/** How each field matches; `by-part`: each part of a command, each file is judged of its own, as `ruleOn` does. */
const matchings: Readonly<Record<RuleField, Matching | 'by-part'>> = {
  command: 'by-part',
  commandPrefix: 'by-part',
  path: 'by-part',
  host: (value, { rule, subject: { host } }) =>
    host === undefined ? undefined : matchesHost(value, host, isCareful(rule) ? 'each-port' : 'usual-ports'),
  // An agent may be named by the path of its command, which is no way around what it is denied.
  agent: (value, { rule, subject: { agent } }) =>
    agent === undefined
      ? undefined
      : agent === value || (isCareful(rule) && agent.split(/[\\/]/u).at(-1) === value),
  cwd: (value, circumstances) => {
    const folder = folderOf(circumstances);
    return folder === undefined
      ? undefined
      : matchesPath(value, folder, 'with-below', { cwd: circumstances.cwd });
  },
  until: (value, { now }) => {
    const end = ruleEnd(value);
    return end === undefined ? undefined : now < end;
  },
};

/** The folder that a call acts in, where that is known. */
function folderOf({ rule, subject, cwd }: Circumstances): string | undefined {
  const { kind, command, directory } = subject;
  if (command === undefined) {
    const mayRunOne = kind === 'execute' || rule.command !== undefined || rule.commandPrefix !== undefined;
    return mayRunOne ? undefined : cwd;
  }
  // Of a line that is known as a whole, where it starts is all that is left open.
  const isKnown = rule.command !== undefined || staysInFolder(command);
  return isKnown ? (directory ?? cwd) : undefined;
}

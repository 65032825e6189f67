import { hostFault } from './host-pattern.ts';
import { globFault } from './path-pattern.ts';

/** Which tool calls a rule is about. Each field that is present has to match. */
export interface RuleScope {
  /** An ACP kind (`edit`, `execute`, …), a tool's name, the beginning of names (`mcp__github__*`), or `*`. */
  readonly tool: string;
  /** A file, a folder and all below it, or a glob; from the session's directory, from `~/`, or absolute. */
  readonly path?: string;
  /** The whole command. */
  readonly command?: string;
  /** The first words of the command. */
  readonly commandPrefix?: string;
  /** Where something is fetched from: a host, or all below one (`*.example.com`); a port may follow. */
  readonly host?: string;
  /** The agent that acts: its name in the configuration, or its command. */
  readonly agent?: string;
}

/** What is decided about some tool calls. */
export interface Rule extends RuleScope {
  readonly decision: 'allow' | 'ask' | 'deny';
}

/** A rule for a reader, in the words of the configuration. */
export function ruleText(rule: Rule): string {
  return `the rule "${ruleWords(rule)}"`;
}

/** The words of the configuration alone: what is decided, and about what. */
export function ruleWords({ decision, tool, command, commandPrefix, path, host, agent }: Rule): string {
  const parts = [
    command === undefined ? '' : ` command ${JSON.stringify(command)}`,
    commandPrefix === undefined ? '' : ` commandPrefix ${JSON.stringify(commandPrefix)}`,
    path === undefined ? '' : ` path ${JSON.stringify(path)}`,
    host === undefined ? '' : ` host ${JSON.stringify(host)}`,
    agent === undefined ? '' : ` agent ${JSON.stringify(agent)}`,
  ];
  return `${decision} ${tool}${parts.join('')}`;
}

/** Why a rule cannot be meant as it stands: the field, and what is wrong with it. */
export interface RuleFault {
  readonly field: 'tool' | 'path' | 'host';
  readonly reason: string;
}

/** Finds what is wrong with a rule; nothing when it can be used. */
export function ruleFault({ tool, path, host }: RuleScope): RuleFault | undefined {
  if (tool.slice(0, -1).includes('*')) return { field: 'tool', reason: 'a "*" may stand only at the end' };
  const pathReason = path === undefined ? undefined : globFault(path);
  if (pathReason !== undefined) return { field: 'path', reason: pathReason };
  if (host === undefined) return undefined;
  if (tool !== 'fetch') return { field: 'host', reason: 'is only for the tool "fetch"' };
  const hostReason = hostFault(host);
  return hostReason === undefined ? undefined : { field: 'host', reason: hostReason };
}

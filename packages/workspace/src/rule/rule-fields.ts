import { globFault } from './glob.ts';
import { hostFault } from './host-pattern.ts';

/** The fields that restrict a rule to some calls of its tool. All present fields must match. */
export type RuleField = 'command' | 'commandPrefix' | 'path' | 'host' | 'agent' | 'cwd' | 'until';

/** The properties of a field for parsing, display and storage; `rule-applies.ts` implements the match. */
export interface RuleFieldEntry {
  /** What the field matches, in Markdown, for the documentation. */
  readonly help: string;
  /** The same for display, with a quoted value. */
  readonly phrase: (value: string) => string;
  /** The phrase beside the request, which shows the value; empty for none. @default the phrase with the value */
  readonly whenShown?: string;
  /** Whether the phrase names the calls, so that it follows no tool. @default false */
  readonly namesCalls?: true;
  /** Whether the value may contain a secret. */
  readonly isRedacted: boolean;
  /** Describes why a value is invalid. @default every text is valid */
  readonly faultOf?: (value: string, tool: string) => string | undefined;
}

/** All fields, in display order. */
export const ruleFields: Readonly<Record<RuleField, RuleFieldEntry>> = {
  command: {
    help: 'the whole command',
    phrase: (value) => `the command ${value}`,
    whenShown: 'exactly this command',
    namesCalls: true,
    isRedacted: true,
  },
  commandPrefix: {
    help: 'the first whole words of a command, see below',
    phrase: (value) => `commands that begin with ${value}`,
    namesCalls: true,
    isRedacted: true,
  },
  path: {
    help: "a file, a folder and all below it, or a glob (`src/**/*.ts`, `*.md`, `[ab]`, `{a,b}`), from the session's directory, from `~/`, or absolute",
    phrase: (value) => `in ${value}`,
    isRedacted: true,
    faultOf: globFault,
  },
  host: {
    help: 'the host of a `fetch`, and of connections from a sandbox: `example.com`, `*.example.com`, `localhost:3000`',
    phrase: (value) => `from ${value}`,
    isRedacted: true,
    faultOf: (value, tool) => (tool === 'fetch' ? hostFault(value) : 'is only for the tool "fetch"'),
  },
  agent: {
    help: 'the agent that acts: its name in the configuration, or the command after `--` as typed',
    phrase: (value) => `for the agent ${value}`,
    whenShown: '',
    isRedacted: false,
  },
  cwd: {
    help: "a folder and all below it, written like `path`: for a command, the folder in which it runs; for other calls, the session's folder",
    phrase: (value) => `run in ${value}`,
    isRedacted: true,
    faultOf: globFault,
  },
  until: {
    help: 'the time after which the rule no longer applies, in ISO 8601: a date (`2026-12-31`, inclusive), or a date and a time (`2026-12-31T18:00`, in local time, or with `Z` or an offset)',
    phrase: (value) => `until ${value}`,
    isRedacted: false,
    faultOf: ruleEndFault,
  },
};

/** The names of the fields, in the same order. */
export const ruleFieldNames: readonly RuleField[] = Object.keys(ruleFields).filter(isRuleField);

/** The field that every rule has: the tool. */
export const toolField: Pick<RuleFieldEntry, 'help'> & {
  readonly faultOf: (tool: string) => string | undefined;
} = {
  help: 'a kind of tool call (`read`, `edit`, `delete`, `move`, `search`, `execute`, `fetch`, `other`), the name of a tool, the beginning of names (`mcp__github__*`), or `*`',
  faultOf: (tool) => (tool.slice(0, -1).includes('*') ? '"*" is allowed only at the end' : undefined),
};

/** The possible decisions of a rule. */
export const ruleDecisions = ['allow', 'ask', 'deny'] as const;

/** Until when a rule holds, in milliseconds since 1970; a date without a time is its whole day here. Undefined when it is no time. */
export function ruleEnd(until: string): number | undefined {
  const groups = dateAndTime.exec(until)?.groups;
  if (groups === undefined) return undefined;
  const { year, month, day, time } = groups;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) > daysInMonth) return undefined;
  const end = Date.parse(time === undefined ? `${until}T24:00` : until);
  return Number.isNaN(end) ? undefined : end;
}

function ruleEndFault(until: string): string | undefined {
  return ruleEnd(until) === undefined
    ? 'must be a date, or a date and a time, of ISO 8601, like "2026-12-31" or "2026-12-31T18:00Z"'
    : undefined;
}

/** A time without an offset is the one here. */
const dateAndTime =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/u;

function isRuleField(name: string): name is RuleField {
  return Object.hasOwn(ruleFields, name);
}

import {
  ruleDecisions,
  ruleEnd,
  ruleFieldNames,
  ruleFields,
  toolField,
  type RuleField,
} from './rule-fields.ts';

/** What a rule says in its fields; what each means stands in {@link ruleFields}. */
export type RuleFieldValues = { readonly [Field in RuleField]?: string };

/** Which tool calls a rule is about. Each field that is present has to match. */
export interface RuleScope extends RuleFieldValues {
  /** An ACP kind (`edit`, `execute`, …), a tool's name, the beginning of names (`mcp__github__*`), or `*`. */
  readonly tool: string;
}

/** What is decided about some tool calls. */
export interface Rule extends RuleScope {
  readonly decision: (typeof ruleDecisions)[number];
}

/** A rule of the configuration, and whose configuration it is. */
export interface ConfiguredRule extends Rule {
  /** @default the user's */
  readonly origin?: 'user' | 'project';
}

/** The fields that a reader finds something in. */
export function readRuleFields(read: (field: RuleField) => string | undefined): RuleFieldValues {
  const found: { [Field in RuleField]?: string } = {};
  for (const field of ruleFieldNames) {
    const value = read(field);
    if (value !== undefined) found[field] = value;
  }
  return found;
}

/** Reads a rule that Parley wrote. Undefined when it is none. */
export function parseRule(value: unknown): Rule | undefined {
  if (!isFields(value)) return undefined;
  const { tool, decision: word } = value;
  const decision = ruleDecisions.find((each) => each === word);
  if (typeof tool !== 'string' || decision === undefined) return undefined;
  if (ruleFieldNames.some((field) => !isOptionalText(value[field]))) return undefined;
  const fields = readRuleFields((field) => textOf(value[field]));
  return { tool, decision, ...fields };
}

/** Whether two rules are about the same calls. */
export function isSameScope(left: RuleScope, right: RuleScope): boolean {
  return left.tool === right.tool && ruleFieldNames.every((field) => left[field] === right[field]);
}

/** Whether the time of a rule is over. */
export function hasEnded({ until }: RuleScope, now: number): boolean {
  const end = until === undefined ? undefined : ruleEnd(until);
  return end !== undefined && end <= now;
}

/** A rule for a reader, in the words of the configuration. */
export function ruleText(rule: Rule): string {
  return `the rule "${ruleWords(rule)}"`;
}

/** The words of the configuration alone: what is decided, and about what. */
export function ruleWords(rule: Rule): string {
  const parts = ruleFieldNames.map((field) => {
    const value = rule[field];
    return value === undefined ? '' : ` ${field} ${JSON.stringify(value)}`;
  });
  return `${rule.decision} ${rule.tool}${parts.join('')}`;
}

/** Why a rule cannot be meant as it stands: the field, and what is wrong with it. */
export interface RuleFault {
  readonly field: RuleField | 'tool';
  readonly reason: string;
}

/** Finds what is wrong with a rule; nothing when it can be used. */
export function ruleFault(rule: RuleScope): RuleFault | undefined {
  const { tool } = rule;
  const toolReason = toolField.faultOf(tool);
  if (toolReason !== undefined) return { field: 'tool', reason: toolReason };
  for (const field of ruleFieldNames) {
    const value = rule[field];
    const reason = value === undefined ? undefined : ruleFields[field].faultOf?.(value, tool);
    if (reason !== undefined) return { field, reason };
  }
  return undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import {
  ruleDecisions,
  ruleEnd,
  ruleFieldNames,
  ruleFields,
  toolField,
  type RuleField,
} from './rule-fields.ts';

/** The field values of a rule; {@link ruleFields} describes them. */
export type RuleFieldValues = { readonly [Field in RuleField]?: string };

/** The tool calls that a rule matches. All present fields must match. */
export interface RuleScope extends RuleFieldValues {
  /** An ACP kind (`edit`, `execute`, …), a tool's name, a name prefix (`mcp__github__*`), or `*`. */
  readonly tool: string;
}

/** A decision about some tool calls. */
export interface Rule extends RuleScope {
  readonly decision: (typeof ruleDecisions)[number];
}

/** A rule of the configuration, with its origin. */
export interface ConfiguredRule extends Rule {
  /** @default the user's */
  readonly origin?: 'user' | 'project';
}

/** Reads the fields that are present. */
export function readRuleFields(read: (field: RuleField) => string | undefined): RuleFieldValues {
  const found: { [Field in RuleField]?: string } = {};
  for (const field of ruleFieldNames) {
    const value = read(field);
    if (value !== undefined) found[field] = value;
  }
  return found;
}

/** Parses a rule that Parley wrote. Undefined if it is invalid. */
export function parseRule(value: unknown): Rule | undefined {
  if (!isFields(value)) return undefined;
  const { tool, decision: word } = value;
  const decision = ruleDecisions.find((each) => each === word);
  if (typeof tool !== 'string' || decision === undefined) return undefined;
  if (ruleFieldNames.some((field) => !isOptionalText(value[field]))) return undefined;
  const fields = readRuleFields((field) => textOf(value[field]));
  return { tool, decision, ...fields };
}

/** Checks whether two rules match the same calls. */
export function isSameScope(left: RuleScope, right: RuleScope): boolean {
  return left.tool === right.tool && ruleFieldNames.every((field) => left[field] === right[field]);
}

/** Checks whether a rule has expired. */
export function hasEnded({ until }: RuleScope, now: number): boolean {
  const end = until === undefined ? undefined : ruleEnd(until);
  return end !== undefined && end <= now;
}

/** Formats a rule for display, in the terms of the configuration. */
export function ruleText(rule: Rule): string {
  return `the rule "${ruleWords(rule)}"`;
}

/** Formats only the decision and the fields of a rule. */
export function ruleWords(rule: Rule): string {
  const parts = ruleFieldNames.map((field) => {
    const value = rule[field];
    return value === undefined ? '' : ` ${field} ${JSON.stringify(value)}`;
  });
  return `${rule.decision} ${rule.tool}${parts.join('')}`;
}

/** Why a rule is invalid: the field, and the fault. */
export interface RuleFault {
  readonly field: RuleField | 'tool';
  readonly reason: string;
}

/** Returns the fault of a rule; undefined if it is valid. */
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

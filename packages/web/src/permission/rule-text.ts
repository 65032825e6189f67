import { ruleFieldNames, type RuleScope } from '@parley/workspace/rule';
import type { Texts } from '../text/en.ts';

/** What a rule is about, in the words of the interface. */
export function ruleText(rule: RuleScope, { kinds, rule: words }: Texts['inbox']): string {
  const { tool } = rule;
  return [
    tool === '*' ? words.everything : isKind(tool, kinds) ? kinds[tool] : words.tool(quoted(tool)),
    ...ruleFieldNames.flatMap((field) => {
      const value = rule[field];
      return value === undefined ? [] : [words.field(field, quoted(value))];
    }),
  ].join(' · ');
}

/** Quoted, so that its beginning and end are plain. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

function isKind<Kinds extends object>(tool: string, kinds: Kinds): tool is Extract<keyof Kinds, string> {
  return Object.hasOwn(kinds, tool);
}

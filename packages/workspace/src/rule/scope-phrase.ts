import { ruleFieldNames, ruleFields } from './rule-fields.ts';
import type { RuleScope } from './rule.ts';

/** The words of a place that shows what a remembered answer would cover. */
export interface ScopeWords {
  /** The calls of a tool that fields restrict further. */
  readonly some: (tool: string) => string;
  /** All calls of a tool. */
  readonly all: (tool: string) => string;
  /** Quotes a command or its beginning. */
  readonly quote: (command: string) => string;
}

/** Describes what a remembered answer would cover, beside the request that it is about. */
export function scopePhrase(scope: RuleScope, words: ScopeWords): string {
  const { tool } = scope;
  const fields = ruleFieldNames.flatMap((name) => {
    const value = scope[name];
    return value === undefined ? [] : [{ ...ruleFields[name], value }];
  });
  const phrases = fields
    .map(
      ({ phrase, namesCalls, whenShown, value }) =>
        whenShown ?? phrase(namesCalls === true ? words.quote(value) : value),
    )
    .filter((phrase) => phrase !== '');
  if (fields.some(({ namesCalls }) => namesCalls === true)) return phrases.join(' ');
  return [phrases.length === 0 ? words.all(tool) : words.some(tool), ...phrases].join(' ');
}

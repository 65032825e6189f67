import { addTokens, tokensIn } from '../usage/tokens.ts';
import type { UsageView } from './view.ts';

/** What was used, after a turn that ended said what it took. */
export function withTurnUsage(usage: UsageView, told: unknown): UsageView {
  const tokens = tokensIn(told);
  return tokens === undefined ? usage : { ...usage, tokens: addTokens(usage.tokens ?? {}, tokens) };
}

import type { Tokens, UsageView } from './view.ts';

/** What was used, after a turn that ended said what it took. */
export function withTurnUsage(usage: UsageView, told: unknown): UsageView {
  const tokens = tokensIn(told);
  return tokens === undefined ? usage : { ...usage, tokens: sum(usage.tokens ?? {}, tokens) };
}

const names = [
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'thoughtTokens',
  'cachedReadTokens',
  'cachedWriteTokens',
] as const satisfies readonly (keyof Tokens)[];

function tokensIn(told: unknown): Tokens | undefined {
  if (typeof told !== 'object' || told === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(told));
  const known = names.flatMap((name) => {
    const value = fields.get(name);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? [[name, value] as const] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function sum(left: Tokens, right: Tokens): Tokens {
  const told = names.filter((name) => left[name] !== undefined || right[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}

/** Numbers of tokens; unreported ones are absent. */
export interface Tokens {
  readonly totalTokens?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

/** The names of each number: the protocol's first, then those that agents copy from model providers. */
const spellings = {
  totalTokens: ['totalTokens', 'total_tokens'],
  inputTokens: ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens'],
  outputTokens: ['outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens'],
  thoughtTokens: ['thoughtTokens', 'thought_tokens', 'reasoningTokens', 'reasoning_tokens'],
  cachedReadTokens: [
    'cachedReadTokens',
    'cached_read_tokens',
    'cacheReadInputTokens',
    'cache_read_input_tokens',
  ],
  cachedWriteTokens: [
    'cachedWriteTokens',
    'cached_write_tokens',
    'cacheCreationInputTokens',
    'cache_creation_input_tokens',
  ],
} as const satisfies Readonly<Record<keyof Tokens, readonly string[]>>;

/**
 * Reads the token counts of an agent's report; undefined if it has none. If a count appears under two names, only one
 * of them is used.
 */
export function tokensIn(given: unknown): Tokens | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(given));
  const known = tokenNames.flatMap((name) => {
    const value = spellings[name].map((each) => fields.get(each)).find(isCount);
    return value === undefined ? [] : [[name, value] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The sum of both. */
export function addTokens(left: Tokens, right: Tokens): Tokens {
  const names = [...new Set([...keysOf(left), ...keysOf(right)])];
  return Object.fromEntries(names.map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}

function keysOf(tokens: Tokens): readonly (keyof Tokens)[] {
  return tokenNames.filter((name) => tokens[name] !== undefined);
}

const tokenNames = [
  'totalTokens',
  'inputTokens',
  'outputTokens',
  'thoughtTokens',
  'cachedReadTokens',
  'cachedWriteTokens',
] as const satisfies readonly (keyof Tokens)[];

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

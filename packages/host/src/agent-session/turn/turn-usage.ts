import { tokensIn } from './tokens.ts';

/** What an agent says that a turn took. */
export interface TurnUsage {
  /** As it came. */
  readonly usage?: unknown;
  /** Where it stood, when that is not where the protocol has it. */
  readonly usageFrom?: string;
}

/** Where the answer to a prompt may have it: the protocol's own place first, then those of older agents. */
const places = [
  ['usage'],
  ['tokenUsage'],
  ['_meta', 'usage'],
  ['_meta', 'tokenUsage'],
  ['_meta', 'quota', 'token_count'],
] as const;

/** What the answer to a prompt says of the turn's tokens. One that says it in several places means the same tokens. */
export function turnUsageIn(answer: object): TurnUsage {
  for (const place of places) {
    const usage = place.reduce<unknown>(fieldOf, answer);
    if (tokensIn(usage) === undefined) continue;
    return place.length === 1 && place[0] === 'usage' ? { usage } : { usage, usageFrom: place.join('.') };
  }
  const usage = fieldOf(answer, 'usage');
  return usage === undefined || usage === null ? {} : { usage };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

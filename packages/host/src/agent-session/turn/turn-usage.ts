import { tokensIn } from './tokens.ts';

/** The usage that an agent reported for a turn. */
export interface TurnUsage {
  /** Unmodified. */
  readonly usage?: unknown;
  /** The field that contained it, if it is not that of the protocol. */
  readonly usageFrom?: string;
}

/** The fields of a prompt response that can contain the usage: the protocol's first, then those of older agents. */
const places = [
  ['usage'],
  ['tokenUsage'],
  ['_meta', 'usage'],
  ['_meta', 'tokenUsage'],
  ['_meta', 'quota', 'token_count'],
] as const;

/**
 * Reads the token usage of a turn from the prompt response. If several fields contain it, they report the same
 * tokens.
 */
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

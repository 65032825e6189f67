import { triedPattern } from '../limits.ts';

/**
 * Whether a text matches the regular expression of an agent. One that might take forever, or that is none, is not tried:
 * the agent checks what it gets in any case.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > triedPattern || !isQuick(pattern)) return true;
  const expression = toExpression(pattern);
  return expression === undefined || expression.test(text);
}

function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Repeated groups and references back make the time grow beyond all bounds; three repetitions beside each other do not. */
function isQuick(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\[^\d]/gu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x');
  if (pattern.length > triedPattern || /\)[*+?{]|\\\d|\\k/u.test(bare)) return false;
  return (bare.match(/[*+]|\{\d+,/gu) ?? []).length <= 3;
}

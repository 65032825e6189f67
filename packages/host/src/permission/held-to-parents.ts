import { isNarrowing } from '@parley/workspace';
import type { Rule } from '@parley/workspace/rule';

/**
 * The rules of a delegate, whose rights are at most those of the agents it works for. If a rule denies something to one
 * of these agents, or asks about it, it does the same for the delegate. A rule that allows something to one agent applies
 * only if it names all of them.
 *
 * @param parents The names of those agents.
 */
export function heldToParents<Each extends Rule>(
  rules: readonly Each[],
  agent: string,
  parents: readonly string[],
): readonly Each[] {
  const isSameAgent = parents.every((parent) => parent === agent);
  if (isSameAgent) return rules;
  return rules.flatMap((rule) => {
    if (rule.agent === undefined) return [rule];
    if (!isNarrowing(rule)) return [];
    return [isOneOf(parents, rule.agent) ? { ...rule, agent } : rule];
  });
}

/** An agent may be named by the path of its command. */
function isOneOf(parents: readonly string[], named: string): boolean {
  return parents.some((parent) => parent === named || parent.split(/[\\/]/u).at(-1) === named);
}

import type { Rule } from './rule.ts';

/** A rule, and who made it. */
export interface LayeredRule extends Rule {
  readonly origin: 'user' | 'project';
}

/** Puts the rules of a user and of a project together. A project narrows: what it would allow counts for nothing. */
export function layerRules(user: readonly Rule[], project: readonly Rule[]): readonly LayeredRule[] {
  return [
    ...project.filter(isNarrowing).map((rule) => ({ ...rule, origin: 'project' as const })),
    ...user.map((rule) => ({ ...rule, origin: 'user' as const })),
  ];
}

/** Whether a rule takes rights away, and gives none. */
export function isNarrowing({ decision }: Rule): boolean {
  return decision !== 'allow';
}

import type { ConfiguredRule, Rule } from './rule.ts';

/** How far a project's rules count. */
export interface LayerOptions {
  /** The user trusts the project: what it allows counts too. @default false */
  readonly isProjectTrusted?: boolean;
}

/** Puts the rules of a user and of a project together. A project narrows: what it would allow needs to be trusted. */
export function layerRules(
  user: readonly Rule[],
  project: readonly Rule[],
  { isProjectTrusted = false }: LayerOptions = {},
): readonly ConfiguredRule[] {
  const counting = isProjectTrusted ? project : project.filter(isNarrowing);
  return [
    ...counting.map((rule) => ({ ...rule, origin: 'project' as const })),
    ...user.map((rule) => ({ ...rule, origin: 'user' as const })),
  ];
}

/** Whether a rule takes rights away, and gives none. */
export function isNarrowing({ decision }: Rule): boolean {
  return decision !== 'allow';
}

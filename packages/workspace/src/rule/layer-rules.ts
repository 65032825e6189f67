import type { ConfiguredRule, Rule } from './rule.ts';

/** Options for a project's rules. */
export interface LayerOptions {
  /** Whether the user trusts the project: its `allow` rules then apply too. @default false */
  readonly isProjectTrusted?: boolean;
}

/** Combines the rules of a user and a project. An untrusted project can only restrict. */
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

/** Checks whether a rule only restricts. */
export function isNarrowing({ decision }: Rule): boolean {
  return decision !== 'allow';
}

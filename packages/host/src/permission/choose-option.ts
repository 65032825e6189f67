import type { PermissionOption, PermissionOptionKind } from '@parley/acp';

/**
 * Chooses the option that matches a decision without exceeding it: once before always. Without such an option there
 * is nothing to choose. Of several options of the same kind, the first is chosen.
 */
export function chooseOption(
  options: readonly PermissionOption[],
  decision: 'allow' | 'reject',
): PermissionOption | undefined {
  const preferred: readonly PermissionOptionKind[] =
    decision === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  for (const kind of preferred) {
    const option = options.find((candidate) => candidate.kind === kind);
    if (option !== undefined) return option;
  }
  return undefined;
}

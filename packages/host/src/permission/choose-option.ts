import type { PermissionOption, PermissionOptionKind } from '@parley/acp';

/**
 * The option that says no more than was decided: once before always. Without an option of that sort there is
 * nothing to choose. The first of several of the same kind is taken; they are never merged.
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

import type { CallPermission } from '@parley/aap/server';
import type { PermissionOption, PermissionOptionKind } from '@parley/acp';
import type { PermissionAnswer } from '@parley/host';

/**
 * The option that expresses the application's decision. It allows only this call if the agent offers that, so that
 * the application decides each one; an option that the application named is used if it means the same.
 */
export function toPermissionAnswer(
  permission: CallPermission,
  options: readonly PermissionOption[],
): PermissionAnswer {
  const { optionId } = permission;
  const chosen = (kinds: readonly PermissionOptionKind[]): PermissionAnswer => {
    const named = options.find((option) => option.optionId === optionId && isOneOf(option, kinds));
    return toAnswer(named ?? first(options, kinds));
  };
  if (permission.granted) return chosen(allowing);
  switch (permission.by) {
    case 'application':
    case 'disabled':
      return chosen(rejecting);
    case 'superseded':
    case 'expired':
    case 'cancelled':
      return { kind: 'cancel' };
  }
}

const allowing: readonly PermissionOptionKind[] = ['allow_once', 'allow_always'];
const rejecting: readonly PermissionOptionKind[] = ['reject_once', 'reject_always'];

function first(
  options: readonly PermissionOption[],
  kinds: readonly PermissionOptionKind[],
): PermissionOption | undefined {
  return kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
}

function isOneOf({ kind }: PermissionOption, kinds: readonly PermissionOptionKind[]): boolean {
  return kinds.includes(kind);
}

function toAnswer(option: PermissionOption | undefined): PermissionAnswer {
  return option === undefined ? { kind: 'cancel' } : { kind: 'option', optionId: option.optionId };
}

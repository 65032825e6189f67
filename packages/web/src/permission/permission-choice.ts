import type { ToolKind } from '@parley/acp';
import type { HubAnswer, PermissionQuestion } from '@parley/host/hub';
import { toPermissionChoices } from '@parley/host/state';

/** The answer that rejects this one call, with feedback; the answer `cancel` where the agent offers no such option. */
export function toRejection({ request: { options } }: PermissionQuestion, reason?: string): HubAnswer {
  const option = toPermissionChoices(options).reject;
  if (option === undefined) return { kind: 'cancel' };
  return { kind: 'option', optionId: option.optionId, ...(reason !== undefined && { reason }) };
}

/**
 * A key that is equal for requests that may be answered together, even of different sessions and agents: same kind,
 * and each can be allowed or rejected once in exactly one way. An opaque request equals no other.
 */
export function likenessOf({ request, action, opaque }: PermissionQuestion): string | undefined {
  const { allow, reject, others } = toPermissionChoices(request.options, { kind: action.kind });
  const isPlain = allow !== undefined && reject !== undefined && others.length === 0;
  return isPlain && opaque !== true ? action.kind : undefined;
}

/** The risk of a call of this kind; the highest comes first. */
export function riskOf(kind: ToolKind | undefined): number {
  switch (kind) {
    case 'execute':
    case 'delete':
    case 'other':
    case undefined:
      return 4;
    case 'edit':
    case 'move':
    case 'switch_mode':
      return 3;
    case 'fetch':
      return 2;
    case 'read':
    case 'search':
    case 'think':
      return 1;
  }
}

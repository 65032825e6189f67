import type { Policy } from '../permission/policy.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/**
 * Whether commands in the sandbox need no permission. With an unrestricted network they always do, because they could
 * reach services that no sandbox protects.
 */
export function approvesCommands({
  network,
  autoApprove,
}: Pick<SandboxSettings, 'network' | 'autoApprove'>): boolean {
  return autoApprove === true && network !== 'on';
}

/** The policy for an agent that is held. */
export function policyInside(
  policy: Policy,
  sandbox: Pick<SandboxSettings, 'mode' | 'network' | 'autoApprove'>,
): Policy {
  return approvesCommands(sandbox) ? { ...policy, sandboxed: sandbox.mode } : policy;
}

import type { Sandbox } from '@parley/workspace/sandbox';
import type { Policy } from '../permission/policy.ts';
import type { HeldBy } from './sandbox-settings.ts';

/** Returns the sandbox fields of a session's events. */
export function toHeldBy({ plan, engine }: Sandbox, { sandboxed }: Policy): HeldBy {
  return { mode: plan.mode, engine: engine.name, ...(sandboxed !== undefined && { autoApprove: true }) };
}

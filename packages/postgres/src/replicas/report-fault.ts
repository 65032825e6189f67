import type { ReplicaMember } from '@parley/host';

/** Reports a fault to the member that joined. What its handler throws has nowhere to go. */
export function reportFault(member: Pick<ReplicaMember, 'onFault'> | undefined, error: unknown): void {
  try {
    member?.onFault(error);
  } catch {
    // An exception here would be an unhandled rejection, which ends the process.
  }
}

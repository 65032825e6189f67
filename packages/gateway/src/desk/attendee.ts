import type { AttendResult } from '@parley/host/desk';
import type { Principal } from '../access/token.ts';

/** What the desk says of whoever attends. */
export function toAttendee(principal: Principal | undefined): Pick<AttendResult, 'person' | 'isObserver'> {
  const { name: person = '', scope } = principal ?? {};
  return { person, ...(scope !== 'admin' && { isObserver: true }) };
}

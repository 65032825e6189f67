import type { AttendResult } from '@parley/host/desk';
import { mayAdminister } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';

/** What the desk says of whoever attends. */
export function toAttendee(principal: Principal | undefined): Pick<AttendResult, 'person' | 'isObserver'> {
  const isSteering = principal !== undefined && mayAdminister(principal);
  return { person: principal?.name ?? '', ...(!isSteering && { isObserver: true }) };
}

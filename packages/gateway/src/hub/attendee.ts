import type { AttendResult } from '@parley/host/hub';
import { mayAdminister } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';

/** What the hub says of whoever attends. */
export function toAttendee(principal: Principal | undefined): Pick<AttendResult, 'person' | 'isObserver'> {
  const isSteering = principal !== undefined && mayAdminister(principal);
  return { person: principal?.name ?? '', ...(!isSteering && { isObserver: true }) };
}

import type { AttendResult } from '@parley/host/hub';
import type { Principal } from '../access/token.ts';

/** What the hub says of whoever attends. */
export function toAttendee(principal: Principal | undefined): Pick<AttendResult, 'person' | 'scope'> {
  return { person: principal?.name ?? '', scope: principal?.scope ?? 'observe' };
}

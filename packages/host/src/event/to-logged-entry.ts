import type { HostEvent } from './host-event.ts';
import type { LoggedEntry } from './logged-event.ts';

/** What an event log keeps of an event, if anything. */
export function toLoggedEntry(event: HostEvent): LoggedEntry | undefined {
  switch (event.type) {
    case 'stderr':
    case 'agent-starting':
    case 'session-opening':
    case 'session-not-opened':
    case 'session-state':
      return undefined;
    case 'update': {
      const { update, late, replay, meta } = event;
      // By far the most frequent event, and nearly always without a mark.
      if (!late && !replay && meta === undefined) return { type: 'update', update };
      return {
        type: 'update',
        update,
        ...(meta !== undefined && { meta }),
        ...(late && { late }),
        ...(replay && { replay }),
      };
    }
    default:
      return event;
  }
}

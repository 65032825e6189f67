import type { HostEvent } from './host-event.ts';
import type { LoggedEntry } from './logged-event.ts';

/** Returns the stored form of an event; undefined if it is not stored. */
export function toLoggedEntry(event: HostEvent): LoggedEntry | undefined {
  switch (event.type) {
    case 'stderr':
    case 'agent-starting':
    case 'session-opening':
    case 'session-not-opened':
    case 'session-lost':
      return undefined;
    case 'update': {
      const { update, subagent, late, replay, meta } = event;
      // By far the most frequent event, and nearly always without a mark.
      if (!late && !replay && meta === undefined && subagent === undefined) return { type: 'update', update };
      return {
        type: 'update',
        update,
        ...(subagent !== undefined && { subagent }),
        ...(meta !== undefined && { meta }),
        ...(late && { late }),
        ...(replay && { replay }),
      };
    }
    default:
      return event;
  }
}

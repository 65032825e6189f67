import type { HostEvent } from '../host-event.ts';
import type { JournalEntry } from './journal-event.ts';

/** What a journal keeps of an event, if anything. */
export function toJournalEntry(event: HostEvent): JournalEntry | undefined {
  if (event.type === 'stderr' || event.type === 'session-state') return undefined;
  if (event.type !== 'update') return event;
  const { update, late, replay } = event;
  return { type: 'update', update, ...(late && { late }), ...(replay && { replay }) };
}

import type { StreamedEvent } from './frame.ts';

/** About how many characters an event takes as JSON. */
export function sizeOf(event: StreamedEvent): number {
  return event.event === 'text_delta' || event.event === 'thinking_delta'
    ? event.delta.length + 32
    : JSON.stringify(event).length;
}

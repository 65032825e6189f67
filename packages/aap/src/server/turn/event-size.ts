import { checkJson } from '../schema/check-json.ts';
import type { StreamedEvent } from './frame.ts';
import type { LoggedTurnEvent } from './logged-turn-event.ts';

/** About how many characters an event takes as JSON. */
export function sizeOf(event: StreamedEvent): number {
  return event.event === 'text_delta' || event.event === 'thinking_delta'
    ? event.delta.length + 32
    : JSON.stringify(event).length;
}

/**
 * The same, of an agent's event.
 *
 * @throws {AapServerError} `not-json`: it could neither be kept nor sent.
 */
export function checkedSizeOf(event: LoggedTurnEvent, levels: number): number {
  return event.event === 'text_delta' || event.event === 'thinking_delta'
    ? sizeOf(event)
    : checkJson(event.event, event, levels);
}

import type { LoggedEvent } from './logged-event.ts';

/** What an event has besides its text, roughly. */
const frameLength = 200;

/** About how many characters an event has as JSON. Cheap for chunks of text, of which there are by far the most. */
export function eventLength(event: LoggedEvent): number {
  if (event.type !== 'update') return JSON.stringify(event).length;
  return frameLength + (textLength(event.update) ?? JSON.stringify(event.update).length);
}

function textLength(update: unknown): number | undefined {
  if (typeof update !== 'object' || update === null || !('content' in update)) return undefined;
  const { content } = update;
  if (typeof content !== 'object' || content === null || !('text' in content)) return undefined;
  return typeof content.text === 'string' ? content.text.length : undefined;
}

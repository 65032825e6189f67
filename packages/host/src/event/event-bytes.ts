import type { LoggedEvent } from './logged-event.ts';

/** Approximate size of a chunk without its text. */
const frameBytes = 200;

/** Estimates the size of an event as JSON. Cheap for chunks of text, which are by far the most frequent. */
export function eventBytes(event: LoggedEvent): number {
  const text = event.type === 'update' ? textOf(event.update) : undefined;
  return text === undefined ? Buffer.byteLength(JSON.stringify(event)) : frameBytes + Buffer.byteLength(text);
}

function textOf(update: unknown): string | undefined {
  if (typeof update !== 'object' || update === null || !('content' in update)) return undefined;
  const { content } = update;
  if (typeof content !== 'object' || content === null || !('text' in content)) return undefined;
  return typeof content.text === 'string' ? content.text : undefined;
}

import type { LoggedEvent } from '../../event/logged-event.ts';
import { parseLoggedEvent } from '../../event/parse-logged-event.ts';

/*
 * Chunks of one message that come one after another share a line: the first is there whole, and of each other one
 * milliseconds since the first, and its text, as `"more":[0,"text",3,"text"]`. Each is an event with a number of its own.
 */

/** A line that chunks like its first one can share. */
export interface ChunkLine {
  /** The update as JSON, before and behind the text of the chunk. */
  readonly before: string;
  readonly behind: string;
  readonly time: number;
  isShared: boolean;
}

/** The line of an update, when it is a chunk of text. */
export function toChunkLine(updateText: string, time: number): ChunkLine | undefined {
  // The first object in the update is its content: what is in another field is no chunk.
  const at = updateText.indexOf('{', 1) - textField.indexOf('{');
  const start = at + textField.length;
  if (at < 0 || updateText.slice(at, start) !== textField) return undefined;
  const end = endOfText(updateText, start);
  const behind = updateText.slice(end);
  if (!behind.startsWith('"}') || behind.includes('"content"')) return undefined;
  return { before: updateText.slice(0, start), behind, time, isShared: false };
}

/** The text that a further chunk adds to a line; undefined if the chunk differs in anything else. */
export function pieceFor(line: ChunkLine, updateText: string, time: number): string | undefined {
  const { before, behind } = line;
  const end = updateText.length - behind.length;
  // Cut out and compared as a whole: `startsWith` compares one character after the other.
  if (end < before.length || updateText.slice(0, before.length) !== before) return undefined;
  if (updateText.slice(end) !== behind) return undefined;
  if (endOfText(updateText, before.length) !== end) return undefined;
  // With its quotes.
  const text = updateText.slice(before.length - 1, end + 1);
  return `${line.isShared ? ',' : moreField}${String(time - line.time)},${text}`;
}

const textField = '"content":{"type":"text","text":"';

/** The index of the closing quote of the text that starts at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start);
  while (end !== -1 && isEscaped(json, end, start)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, quote: number, start: number): boolean {
  let from = quote;
  while (from > start && json.charCodeAt(from - 1) === backslash) from -= 1;
  return (quote - from) % 2 === 1;
}

const backslash = 0x5c;

/** The events of a record: one, or as many as chunks share it. None when it is no event. */
export function eventsIn(record: unknown): LoggedEvent | readonly LoggedEvent[] | undefined {
  const first = parseLoggedEvent(record);
  if (first?.type !== 'update' || !hasMore(record)) return first;
  const { more } = record;
  const { seq, time, update } = first;
  if (!isChunk(update)) return first;
  const events: LoggedEvent[] = [{ seq, time, type: 'update', update }];
  for (let at = 0; at + 1 < more.length; at += 2) {
    events.push({
      seq: seq + events.length,
      time: time + Number(more[at]),
      type: 'update',
      update: { ...update, content: { ...update.content, text: more[at + 1] } },
    });
  }
  return events;
}

/** The texts of the chunks that share a line with its first one, by the JSON of its record. */
export function textsBehind(json: string): string {
  const at = json.lastIndexOf(moreField);
  if (at === -1) return '';
  try {
    const more: unknown = JSON.parse(json.slice(at + moreField.length - 1, -1));
    return Array.isArray(more) ? more.filter((each) => typeof each === 'string').join('') : '';
  } catch {
    // A field of the agent's with that name, or a damaged line.
    return '';
  }
}

const moreField = ',"more":[';

function hasMore(record: unknown): record is { readonly more: readonly unknown[] } {
  return typeof record === 'object' && record !== null && 'more' in record && Array.isArray(record.more);
}

function isChunk(update: unknown): update is { readonly content: object } {
  return (
    typeof update === 'object' &&
    update !== null &&
    'content' in update &&
    typeof update.content === 'object' &&
    update.content !== null
  );
}

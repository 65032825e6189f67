/** A server-sent event to be written. */
export interface OutgoingEvent {
  /** The type of the event. @default none, which readers treat as `message` */
  readonly event?: string;
  readonly data: string;
  /** The id that a reconnecting client sends as `Last-Event-ID`. */
  readonly id?: string;
  /** The delay before a client reconnects. */
  readonly retryMs?: number;
}

/**
 * Formats a server-sent event.
 *
 * @throws {TypeError} The type or the id contains a line break, or the id contains NUL, which the format cannot
 * represent.
 */
export function formatEvent({ event, data, id, retryMs }: OutgoingEvent): string {
  const lines = [
    ...(id !== undefined ? [`id: ${oneLine('id', id)}`] : []),
    ...(event !== undefined ? [`event: ${oneLine('event', event)}`] : []),
    ...(retryMs !== undefined ? [`retry: ${Math.ceil(retryMs)}`] : []),
    ...(lineBreak.test(data) ? data.split(lineBreak) : [data]).map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** Formats a comment, which readers skip. Keeps a quiet stream alive. */
export function formatComment(text = ''): string {
  return `${text
    .split(lineBreak)
    .map((line) => (line === '' ? ':' : `: ${line}`))
    .join('\n')}\n\n`;
}

const lineBreak = /\r\n|\r|\n/;

function oneLine(field: 'id' | 'event', value: string): string {
  if (lineBreak.test(value) || value.includes('\0')) {
    throw new TypeError(`the ${field} of a server-sent event contains a line break or NUL`);
  }
  return value;
}

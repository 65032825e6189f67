/** An event on its way out. */
export interface OutgoingEvent {
  /** What kind it is. @default none is written, which a reader takes for `message` */
  readonly event?: string;
  readonly data: string;
  /** What a client that connects again names as the last event it has seen. */
  readonly id?: string;
  /** How long a client should wait before it connects again. */
  readonly retryMs?: number;
}

/**
 * An event as it is written on a stream of server-sent events.
 *
 * @throws {TypeError} The kind or the id holds a line break, or the id a NUL: a stream cannot carry those.
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

/** A comment, which readers skip: what keeps a quiet stream alive. */
export function formatComment(text = ''): string {
  return `${text
    .split(lineBreak)
    .map((line) => (line === '' ? ':' : `: ${line}`))
    .join('\n')}\n\n`;
}

const lineBreak = /\r\n|\r|\n/;

function oneLine(field: 'id' | 'event', value: string): string {
  if (lineBreak.test(value) || value.includes('\0')) {
    throw new TypeError(`the ${field} of a server-sent event holds a line break or a NUL`);
  }
  return value;
}

import type { EventStamp, LoggedEvent, LoggedUpdate } from '../../event/logged-event.ts';

/**
 * The JSON line of an event, with number, time and type first.
 *
 * @param updateText The update of an `update` as JSON, if available, to avoid serializing it again.
 */
export function toLoggedJson(event: LoggedEvent, updateText: string | undefined): string {
  if (event.type !== 'update' || updateText === undefined) return JSON.stringify(event);
  const { seq, time } = event;
  return `{"seq":${seq},"time":${time},"type":"update","update":${updateText}${endOf(event)}`;
}

/** What is beside the update, which is nearly always nothing. */
function endOf(event: EventStamp & LoggedUpdate): string {
  for (const name in event) if (!isWritten(name)) return besideOf(event);
  return '}';
}

function isWritten(name: string): boolean {
  return name === 'seq' || name === 'time' || name === 'type' || name === 'update';
}

function besideOf({
  seq: _seq,
  time: _time,
  type: _type,
  update: _update,
  ...beside
}: EventStamp & LoggedUpdate): string {
  const rest = JSON.stringify(beside);
  // Without its first brace.
  return rest === '{}' ? '}' : `,${rest.slice(1)}`;
}

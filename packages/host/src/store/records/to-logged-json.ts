import type { LoggedEvent } from '../../event/logged-event.ts';

/**
 * The JSON line of an event, with number, time and type first.
 *
 * @param updateText The update of an `update` as JSON, if available, to avoid serializing it again.
 */
export function toLoggedJson(event: LoggedEvent, updateText: string | undefined): string {
  if (event.type !== 'update' || updateText === undefined) return JSON.stringify(event);
  const { seq, time, type: _type, update: _update, ...beside } = event;
  const rest = JSON.stringify(beside);
  // Without its first brace; nearly always there is nothing.
  const end = rest === '{}' ? '}' : `,${rest.slice(1)}`;
  return `{"seq":${seq},"time":${time},"type":"update","update":${updateText}${end}`;
}

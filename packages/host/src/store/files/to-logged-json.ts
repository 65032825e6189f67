import type { LoggedEvent } from '../../event/logged-event.ts';

/**
 * An event as its line holds it, the type first behind number and time.
 *
 * @param updateText The update of an `update` as JSON, where it is known: it is not made again then.
 */
export function toLoggedJson(event: LoggedEvent, updateText: string | undefined): string {
  if (event.type !== 'update' || updateText === undefined) return JSON.stringify(event);
  const { seq, time, type: _type, update: _update, ...beside } = event;
  const rest = JSON.stringify(beside);
  // Without its first brace; nearly always there is nothing.
  const end = rest === '{}' ? '}' : `,${rest.slice(1)}`;
  return `{"seq":${seq},"time":${time},"type":"update","update":${updateText}${end}`;
}

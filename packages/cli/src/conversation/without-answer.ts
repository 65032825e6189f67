import type { HostEvent } from '@parley/host';
import type { HubEvent } from '../hub/hub-client.ts';

/** With `--on-ask fail` the turn is cancelled before the answer leaves, and so is what was asked. */
export function withoutAnswer<Event extends HostEvent | HubEvent>(event: Event): Event {
  return event.type === 'permission' && event.by === 'nobody' ? { ...event, decision: 'cancelled' } : event;
}

import type { LoggedEvent } from '@parley/host';
import { isJsonObject } from '@parley/wire';

/** The event logs of a run, by session. */
export type StoredLogs = ReadonlyMap<string, readonly LoggedEvent[]>;

/** What the agent said. */
export function textIn(events: readonly LoggedEvent[]): string {
  return events
    .map((event) => {
      const { sessionUpdate, content } =
        event.type === 'update' && isJsonObject(event.update) ? event.update : {};
      const text = isJsonObject(content) ? content['text'] : undefined;
      return sessionUpdate === 'agent_message_chunk' && typeof text === 'string' ? text : '';
    })
    .join('');
}

import type { LoggedEvent } from '../event/logged-event.ts';
import { noChanges, type ChangesState } from '../state/changes-state.ts';
import { reduceChanges } from '../state/changes.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { PendingEvents } from './pending-events.ts';

/**
 * Reads what the turns of a stored session changed and how users handled it, including events that its owner has not
 * appended yet.
 */
export async function readChanges(
  key: string,
  { store, pending }: { readonly store: SessionStore; readonly pending: PendingEvents },
): Promise<ChangesState> {
  // Read before the event log: what is appended meanwhile counts once.
  const waiting = await pending.read(key);
  let state = noChanges;
  let seq = 0;
  const take = (event: LoggedEvent): void => {
    ({ seq } = event);
    state = reduceChanges(state, event);
  };
  await store.read(key, take, { wants: isOfChanges });
  const time = Date.now();
  for (const event of waiting) take({ ...event, seq: seq + 1, time });
  return state;
}

/** Whether an event matters here, by its JSON; the type comes first, as we write it. */
function isOfChanges(json: string): boolean {
  const start = json.indexOf(typeKey) + typeKey.length;
  return types.has(json.slice(start, json.indexOf('"', start)));
}

const typeKey = '"type":"';

const types: ReadonlySet<string> = new Set<LoggedEvent['type']>([
  'turn-start',
  'changes',
  'changes-undone',
  'changes-redone',
  'hunks-kept',
  'hunks-reverted',
  'changes-committed',
]);

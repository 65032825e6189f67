import type { LostRecords } from '@parley/workspace';
import type { LoggedEvent } from '../event/logged-event.ts';
import { reduceFacts } from '../state/reduce-facts.ts';
import { reduce } from '../state/reduce.ts';
import { interruptionOf, isUnfinished, noFacts, titleOf, type SessionFacts } from '../state/session-facts.ts';
import { emptyState, type SessionState } from '../state/session-state.ts';
import type { SessionHead, SessionOwner } from './session-head.ts';
import type { ReadEventsOptions, SessionStore } from './session-store.ts';
import { mayChangeFacts } from './wanted-events.ts';

/** A session as it is stored. */
export interface StoredSession<State extends SessionFacts = SessionState> {
  readonly state: State;
  /** The title that its user gave it, else that of its events. */
  readonly title?: string;
  readonly updatedAt: number;
  /** Without an owner the session is open nowhere. */
  readonly owner?: SessionOwner;
  readonly lost: LostRecords;
  /** Why the rest of the event log could not be read; the state covers the events before. */
  readonly failure?: Error;
}

/**
 * Reads a session from its event log. A turn that its owner did not end is shown as interrupted, as the next owner
 * will store it.
 *
 * @throws {WorkspaceError} The session does not exist, or nothing of it can be read.
 */
export function readSession(store: SessionStore, head: SessionHead): Promise<StoredSession> {
  return readWith({ empty: emptyState, reduce }, store, head);
}

/**
 * Like {@link readSession}, but without the transcript, so that most events need not be parsed. `seq` and `time` are
 * those of the last parsed event.
 *
 * @throws {WorkspaceError} The session does not exist, or nothing of it can be read.
 */
export function readSessionFacts(
  store: SessionStore,
  head: SessionHead,
): Promise<StoredSession<SessionFacts>> {
  const reduction: Reduction<SessionFacts> = { empty: noFacts, reduce: reduceFacts };
  return readWith(reduction, store, head, { wants: mayChangeFacts });
}

interface Reduction<State> {
  readonly empty: State;
  readonly reduce: (state: State, event: LoggedEvent) => State;
}

async function readWith<State extends SessionFacts>(
  { empty, reduce: after }: Reduction<State>,
  store: SessionStore,
  { key, updatedAt }: SessionHead,
  options?: ReadEventsOptions,
): Promise<StoredSession<State>> {
  // Asked before as well: an owner that closes the log while we read has written its last events behind where we looked.
  const before = await store.owner(key);
  let state = empty;
  let failure: Error | undefined;
  let lost: LostRecords = { tailBytes: 0, damagedLines: 0 };
  try {
    const take = (event: LoggedEvent): void => {
      state = after(state, event);
    };
    lost = await store.read(key, take, options);
  } catch (error) {
    if (state.seq === 0) throw error;
    failure = error instanceof Error ? error : new Error(String(error));
  }
  const owner = before ?? (await store.owner(key));
  const time = Math.floor(updatedAt);
  const { title: given } = await store.columns(key);
  const title = typeof given === 'string' ? given : titleOf(state);
  const isInterrupted = owner === undefined && isUnfinished(state);
  return {
    state: isInterrupted ? after(state, { seq: state.seq + 1, time, ...interruptionOf(state, lost) }) : state,
    ...(title !== undefined && { title }),
    updatedAt: time,
    ...(owner !== undefined && { owner }),
    lost,
    ...(failure !== undefined && { failure }),
  };
}

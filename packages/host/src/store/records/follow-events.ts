import type { LogPart } from '@parley/workspace';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { FactReader } from '../../state/fact-reader.ts';
import { interruptionOf, runningTurn } from '../../state/session-facts.ts';
import type { SessionOwner } from '../session-head.ts';
import type { EventPart, FollowEventsOptions } from '../session-store.ts';
import { eventsIn } from './chunk-line.ts';
import type { FeedFollower, LiveFeed } from './live-feed.ts';

/** The stored records of one session, as a store provides them to followers. */
export interface StoredRecords {
  /** The process that holds the lease of the session. */
  owner(): Promise<SessionOwner | undefined>;
  /** The records from a position on, then each as soon as it is stored. A session without records yields an empty first part. */
  follow(options: {
    readonly from: number;
    readonly signal: AbortSignal;
  }): AsyncGenerator<LogPart, void, undefined>;
}

/**
 * Follows the events of a session as they are stored: from memory while this process owns the session and the
 * follower keeps up, else from the store, without gaps. If the owner is killed during a turn, the follower receives
 * the same end of the turn as the next owner will store.
 */
export async function* followEvents(
  stored: StoredRecords,
  feed: LiveFeed,
  { signal, after = 0 }: FollowEventsOptions,
): AsyncGenerator<EventPart, void, undefined> {
  const follower = await feed.join();
  const wake = (): void => follower.wake();
  signal.addEventListener('abort', wake);
  const place: FollowedPlace = { after, position: 0, session: new FactReader() };
  try {
    /** What the last part said; undefined before the first one. */
    let isAtEnd: boolean | undefined;
    if (feed.isLive && !follower.isBehind && follower.joinedAt !== undefined && follower.joinedAt <= after) {
      // It has all that was stored before: reading a long log again would find nothing.
      isAtEnd = true;
      yield { events: newIn(follower.take(), place), isAtEnd };
      yield* fromFeed(feed, follower, { place, signal });
    }
    // Asked before it is read: what that owner has stored is read then.
    let mayBeLost = (await stored.owner()) === undefined;
    while (!signal.aborted) {
      follower.catchUp();
      using owner = watchOwner(stored, place, { feed, signal });
      for await (const part of fromStore(stored, place, owner.signal)) {
        const lost = part.isAtEnd && mayBeLost ? await lostTurn(stored, place) : undefined;
        if (part.isAtEnd) mayBeLost = false;
        if (lost !== undefined) {
          place.after = lost.seq;
          yield { events: [...part.events, lost], isAtEnd: true };
        } else if (part.events.length > 0 || isAtEnd !== part.isAtEnd) {
          yield part;
        }
        ({ isAtEnd } = part);
        if (part.isAtEnd && feed.isLive) break;
      }
      mayBeLost = owner.isLost;
      yield* fromFeed(feed, follower, { place, signal });
    }
  } finally {
    signal.removeEventListener('abort', wake);
    follower.leave();
  }
}

/** How far a follower is. */
interface FollowedPlace {
  /** The number of the last event. */
  after: number;
  /** Up to where the store was read. */
  position: number;
  /** The session up to there. */
  readonly session: FactReader;
}

/** Interval of checks whether the owner of a running turn was killed. */
const ownerPollMs = 1000;

interface WatchedOwner extends Disposable {
  /** Aborted when the owner of a running turn has ended, or following has stopped. */
  readonly signal: AbortSignal;
  readonly isLost: boolean;
}

/** Checks the owner while a turn runs in another process: a killed process stores nothing. */
function watchOwner(
  stored: StoredRecords,
  place: FollowedPlace,
  { feed, signal }: { readonly feed: LiveFeed; readonly signal: AbortSignal },
): WatchedOwner {
  const ended = new AbortController();
  let isLost = false;
  const look = async (): Promise<void> => {
    const { facts } = place.session;
    if (feed.isLive || runningTurn(facts) === undefined || facts.seq < place.after) return;
    if ((await stored.owner()) !== undefined) return;
    isLost = true;
    ended.abort();
  };
  const timer = setInterval(() => {
    // A lease that cannot be read now is read again.
    look().catch(() => undefined);
  }, ownerPollMs);
  timer.unref();
  const end = (): void => {
    ended.abort();
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return {
    signal: ended.signal,
    get isLost() {
      return isLost;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
    },
  };
}

/** The event that ends the turn of a killed owner, as the next owner stores it. */
async function lostTurn(
  stored: StoredRecords,
  { after, session: { facts } }: FollowedPlace,
): Promise<LoggedEvent | undefined> {
  const seq = facts.seq + 1;
  const isOver = runningTurn(facts) === undefined || seq <= after;
  if (isOver || (await stored.owner()) !== undefined) return undefined;
  return { seq, time: facts.time, ...interruptionOf(facts, { tailBytes: 0, damagedLines: 0 }) };
}

async function* fromStore(
  stored: StoredRecords,
  place: FollowedPlace,
  signal: AbortSignal,
): AsyncGenerator<EventPart, void, undefined> {
  for await (const { records, isAtEnd, position } of stored.follow({ from: place.position, signal })) {
    place.position = position;
    const read = records.flatMap((record) => eventsIn(record) ?? []);
    for (const event of read) place.session.take(event);
    const events = newIn(read, place);
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}

/** Until the owner has ended, or events are missing. */
async function* fromFeed(
  feed: LiveFeed,
  follower: FeedFollower,
  { place, signal }: { readonly place: FollowedPlace; readonly signal: AbortSignal },
): AsyncGenerator<EventPart, void, undefined> {
  while (feed.isLive && !follower.isBehind && !signal.aborted) {
    if (follower.isEmpty) {
      await follower.next();
      continue;
    }
    const before = place.after;
    const events = newIn(follower.take(), place);
    const [first] = events;
    if (first !== undefined && first.seq !== before + 1) {
      place.after = before;
      return;
    }
    if (events.length > 0) yield { events, isAtEnd: follower.isEmpty };
  }
}

function newIn(events: readonly LoggedEvent[], place: FollowedPlace): readonly LoggedEvent[] {
  const found = events.filter(({ seq }) => seq > place.after);
  place.after = found.at(-1)?.seq ?? place.after;
  return found;
}

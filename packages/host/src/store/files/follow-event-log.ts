import { followLog } from '@parley/workspace';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { FactReader } from '../../state/fact-reader.ts';
import { interruptionOf, runningTurn } from '../../state/session-facts.ts';
import type { EventPart, FollowEventsOptions } from '../session-store.ts';
import { eventsIn } from './chunk-line.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, ownerIn } from './event-log-file.ts';
import type { FeedFollower, LiveFeed } from './live-feed.ts';

/**
 * Follows an event log: from its file, and from memory while this process owns it and the follower keeps up. Where it does
 * not, it goes on in the file, from where it was. A turn that a killed owner left behind ends for the follower as it will in the
 * file, once the session has an owner again.
 */
export async function* followEventLog(
  folder: string,
  feed: LiveFeed,
  { signal, after = 0 }: FollowEventsOptions,
): AsyncGenerator<EventPart, void, undefined> {
  const follower = await feed.join();
  const wake = (): void => follower.wake();
  signal.addEventListener('abort', wake);
  const place: FollowedPlace = { after, position: 0, session: new FactReader() };
  try {
    // Asked before it is read: what that owner has stored is read then.
    let mayBeLost = (await ownerIn(folder)) === undefined;
    let isFirst = true;
    while (!signal.aborted) {
      follower.catchUp();
      for await (const part of fromFile(folder, place, signal)) {
        const lost = part.isAtEnd && mayBeLost ? await lostTurn(folder, place) : undefined;
        if (part.isAtEnd) mayBeLost = false;
        if (lost !== undefined) {
          place.after = lost.seq;
          yield { events: [...part.events, lost], isAtEnd: true };
        } else if (isFirst || part.events.length > 0) {
          yield part;
        }
        isFirst = false;
        if (part.isAtEnd && feed.isLive) break;
      }
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
  /** Up to where the file was read. */
  position: number;
  /** The session up to there. */
  readonly session: FactReader;
}

/** How a turn ends whose owner was killed: the event that the next owner stores first. */
async function lostTurn(
  folder: string,
  { after, session: { facts } }: FollowedPlace,
): Promise<LoggedEvent | undefined> {
  const seq = facts.seq + 1;
  const isOver = runningTurn(facts) === undefined || seq <= after;
  if (isOver || (await ownerIn(folder)) !== undefined) return undefined;
  return { seq, time: facts.time, ...interruptionOf(facts, { tailBytes: 0, damagedLines: 0 }) };
}

async function* fromFile(
  folder: string,
  place: FollowedPlace,
  signal: AbortSignal,
): AsyncGenerator<EventPart, void, undefined> {
  const log = { format: eventLogFormat, maxLineBytes: eventLogLineBytes, from: place.position, signal };
  for await (const { records, isAtEnd, position } of followLog(eventLogFile(folder), log)) {
    place.position = position;
    const read = records.flatMap((record) => eventsIn(record) ?? []);
    for (const event of read) place.session.take(event);
    const events = newIn(read, place);
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}

/** Until the owner is gone, or events are missing. */
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

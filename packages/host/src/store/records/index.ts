/** What a `SessionStore` is built of: records of events, wherever they are stored. */
export { eventsIn } from './chunk-line.ts';
export { followEvents } from './follow-events.ts';
export type { StoredRecords } from './follow-events.ts';
export { LiveFeed } from './live-feed.ts';
export type { FeedFollower, FeedOwner, StoredEvent } from './live-feed.ts';
export { openStoredEventLog } from './open-stored-event-log.ts';
export type { LeasedRecords, OpenStoredEventLogOptions } from './open-stored-event-log.ts';
export type { RecordLog } from './stored-event-log.ts';
export type { TroubleOptions } from './troubles.ts';
export { FactReader } from '../../state/fact-reader.ts';
export { titleOf } from '../../state/session-facts.ts';

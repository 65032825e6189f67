import { FactReader } from '../../state/fact-reader.ts';
import type { EventLog, OpenEventLogOptions } from '../event-log.ts';
import { eventsIn } from './chunk-line.ts';
import type { LiveFeed } from './live-feed.ts';
import { type RecordLog, StoredEventLog } from './stored-event-log.ts';
import { Troubles, type TroubleOptions } from './troubles.ts';

/** The records of a session whose lease this process holds. */
export interface LeasedRecords {
  /**
   * Opens the records for appending. `read` receives each existing record, in order. `onTrouble` is called with an
   * error when storing begins to fail, and without one when it works again.
   */
  open(hooks: {
    readonly read: (record: unknown) => void;
    readonly onTrouble: (error: Error | undefined, options?: TroubleOptions) => void;
  }): Promise<{ readonly log: RecordLog; readonly sharesRecords: boolean }>;
  /** Removes a new session whose first event cannot be stored. */
  discard(): Promise<void>;
  /** Releases the lease. */
  release(): Promise<void>;
}

/** What an event log is opened with. */
export interface OpenStoredEventLogOptions extends OpenEventLogOptions {
  readonly key: string;
  /** Hands events to followers in this process. */
  readonly feed: LiveFeed;
}

/**
 * Opens an event log over its records, and starts a new one with its first event. If the previous owner ended during
 * a turn, an `interruption` is appended. On failure, the lease is released and a new log is removed.
 */
export async function openStoredEventLog(
  records: LeasedRecords,
  options: OpenStoredEventLogOptions,
): Promise<EventLog> {
  const reader = new FactReader();
  const troubles = new Troubles(options);
  let knownDamage = 0;
  try {
    const { log, sharesRecords } = await records.open({
      onTrouble: (error, trouble) => {
        troubles.noteWriting(error, trouble);
        // What waited is stored now, and was handed to no follower.
        if (error === undefined) options.feed.reread();
      },
      read: (record) => {
        for (const event of [eventsIn(record) ?? []].flat()) {
          reader.take(event);
          if (event.type === 'interruption') knownDamage = event.damagedLines;
          options.onEvent?.(event);
        }
      },
    });
    const { facts } = reader;
    const isNew = facts.seq === 0;
    const release = (): Promise<void> => records.release();
    const eventLog = new StoredEventLog(log, {
      ...options,
      last: facts.seq,
      release,
      troubles,
      sharesRecords,
    });
    if (isNew) eventLog.append({ type: 'journal-start', key: options.key, ...options.start });
    else eventLog.noteInterruption(facts, knownDamage);
    try {
      await eventLog.stored();
    } catch (error) {
      await eventLog.close();
      if (isNew) await records.discard();
      throw error;
    }
    troubles.begin();
    options.feed.begin({ last: () => eventLog.last, flush: () => log.flush() });
    return eventLog;
  } catch (error) {
    await records.release();
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { EventPart, FollowEventsOptions } from '@parley/host';
import type { LogPart } from '@parley/workspace';
import type { Sql } from 'postgres';
import { isUnreachable } from '../passing-error.ts';
import type { WakeUps } from '../wake-ups.ts';
import { noSession, pageRows, pagesAfter } from './read-records.ts';

/** From where records are followed, and how long. */
export interface FollowRecordsOptions {
  readonly from: number;
  readonly signal: AbortSignal;
}

/** The records of a session, then each as soon as it is stored. */
export async function* followRecords(
  { sql, wakeUps }: { readonly sql: Sql; readonly wakeUps: WakeUps },
  key: string,
  { from, signal }: FollowRecordsOptions,
): AsyncGenerator<LogPart, void, undefined> {
  let wake: () => void = () => {};
  let woken = new Promise<void>((resolve) => (wake = resolve));
  const onWake = (): void => {
    wake();
  };
  const isEnded = (): boolean => signal.aborted;
  // Watched before it is read: what is stored meanwhile is not missed.
  using _watch = await wakeUps.watch(key, onWake);
  signal.addEventListener('abort', onWake);
  try {
    let position = from;
    let isFirst = true;
    while (!isEnded()) {
      if (isFirst) await checkExists(sql, key);
      for await (const page of pagesAfter(sql, key, position)) {
        position = page.at(-1)?.last ?? position;
        const records: readonly unknown[] = page.map(({ record }): unknown => JSON.parse(record));
        if (isEnded()) return;
        yield { records, isAtEnd: page.length < pageRows, position };
      }
      isFirst = false;
      if (!isEnded()) await woken;
      woken = new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onWake);
  }
}

/**
 * Follows events again whenever the connection to the database was lost: nothing comes until then.
 *
 * @param follow Follows the events behind `after`.
 */
export async function* whileReachable(
  follow: (options: FollowEventsOptions) => AsyncGenerator<EventPart, void, undefined>,
  { after = 0, signal }: FollowEventsOptions,
): AsyncGenerator<EventPart, void, undefined> {
  let last = after;
  while (!signal.aborted) {
    try {
      for await (const part of follow({ after: last, signal })) {
        last = part.events.at(-1)?.seq ?? last;
        yield part;
      }
      return;
    } catch (error) {
      // A statement that waited too long for the database says so in its own words.
      const { cause } = error instanceof Error ? error : {};
      if (!isUnreachable(error) && !isUnreachable(cause)) throw error;
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Pause before events are read again when the connection was lost. */
const retryMs = 500;

async function checkExists(sql: Sql, key: string): Promise<void> {
  const [row] = await sql`select from parley.sessions where key = ${key} and last_seq > 0`;
  if (row === undefined) throw noSession(key);
}

import type { LoggedEvent, ReadEventsOptions } from '@parley/host';
import { eventsIn } from '@parley/host/records';
import { WorkspaceError } from '@parley/workspace';
import type { Sql } from 'postgres';
import { whenReachable } from '../when-reachable.ts';

/** Records that are read at once; the last page of a session has fewer. */
export const pageRows = 500;

/** A stored record, and the number of its last event. */
interface StoredRecord {
  readonly last: number;
  readonly record: string;
}

/** The records after a number of an event that ends one, page by page. */
export async function* pagesAfter(
  sql: Sql,
  key: string,
  after: number,
): AsyncGenerator<readonly StoredRecord[], void, undefined> {
  let position = after;
  for (;;) {
    const from = position;
    const rows = await whenReachable(
      () => sql`
        select last, record from parley.records where key = ${key} and seq > ${from} order by seq limit ${pageRows}`,
    );
    const page = rows.map((row) => ({ last: Number(row['last']), record: String(row['record']) }));
    position = page.at(-1)?.last ?? position;
    yield page;
    if (page.length < pageRows) return;
  }
}

/** Reads the events of a session. @throws {WorkspaceError} `not-found` */
export async function readEvents(
  sql: Sql,
  key: string,
  read: (event: LoggedEvent) => void | Promise<void>,
  { after = 0, wants }: ReadEventsOptions = {},
): Promise<void> {
  const [session] = await whenReachable(
    () => sql`
      select (
        select seq - 1 from parley.records where key = ${key} and seq <= ${after}::bigint + 1 order by seq desc limit 1
      ) as before
      from parley.sessions where key = ${key} and last_seq > 0`,
  );
  if (session === undefined) throw noSession(key);
  for await (const page of pagesAfter(sql, key, Number(session['before'] ?? 0))) {
    for (const { record } of page) {
      if (wants !== undefined && !wants(record)) continue;
      for (const event of [eventsIn(JSON.parse(record)) ?? []].flat()) {
        if (event.seq <= after) continue;
        const reading = read(event);
        if (reading !== undefined) await reading;
      }
    }
  }
}

export function noSession(key: string): WorkspaceError {
  return new WorkspaceError(
    'not-found',
    `read the event log of session ${JSON.stringify(key)}: no such session`,
  );
}

import type { SessionHead } from '@parley/host';
import { eventsIn } from '@parley/host/records';
import type { Sql } from 'postgres';

/** The columns of a session that lists show. */
export function headFields(sql: Sql): ReturnType<Sql['unsafe']> {
  return sql.unsafe('key, start, session_id, updated_at');
}

/** A row with these columns. */
export function toHead(row: Readonly<Record<string, unknown>>): SessionHead {
  const { key, start, session_id: sessionId, updated_at: updatedAt } = row;
  return {
    key: String(key),
    start: startIn(String(start)),
    ...(typeof sessionId === 'string' && { sessionId }),
    updatedAt: Number(updatedAt),
  };
}

/** The first event of a session. @throws {TypeError} It is another one. */
function startIn(text: string): SessionHead['start'] {
  for (const event of [eventsIn(JSON.parse(text)) ?? []].flat()) {
    if (event.type === 'journal-start') return event;
  }
  throw new TypeError('the first event of a session in the database is damaged');
}

import { runSql } from '../postgres.ts';

/** Events of a log that a report shows. */
const lastEvents = 12;

/** The sessions that agents call so. */
export async function keysOf(database: string, sessionIds: readonly string[]): Promise<readonly string[]> {
  const names = sessionIds.map((id) => `'${id}'`).join();
  const rows =
    names === ''
      ? []
      : await runSql(database, `select key from parley.sessions where session_id in (${names})`);
  return rows.map(({ key }) => String(key));
}

/** What a database holds of sessions: their owners, the commands that wait for them, and the ends of their event logs. */
export async function storedState(database: string, keys: Iterable<string>): Promise<string> {
  const replicas = await runSql(
    database,
    'select id, name, is_serving, alive_until > clock_timestamp() as is_alive from parley.replicas',
  );
  const parts = [JSON.stringify({ replicas })];
  for (const key of new Set(keys)) {
    const [session, commands, records] = await Promise.all([
      runSql(database, `select owner, fence, last_seq from parley.sessions where key = '${key}'`),
      runSql(
        database,
        `select id, taken_by, is_cancelled, body, outcome, done_at from parley.commands where key = '${key}' order by n`,
      ),
      runSql(
        database,
        `select record from parley.records where key = '${key}' order by seq desc limit ${String(lastEvents)}`,
      ),
    ]);
    parts.push(`${key}: ${JSON.stringify(session)}`);
    for (const command of commands) parts.push(`  command ${JSON.stringify(command)}`);
    for (const { record } of records.toReversed()) parts.push(`  ${String(record).slice(0, 400)}`);
  }
  return parts.join('\n');
}

import { startPostgres, type TestPostgres } from '@parley/conformance';
import postgres from 'postgres';

/** Starts a PostgreSQL server for the tests of a file. */
export function startTestPostgres(): Promise<TestPostgres> {
  return startPostgres(runSql);
}

/** Runs SQL in a database, over a connection of its own. */
export async function runSql(
  url: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

import { startPostgres } from '@parley/conformance';
import postgres from 'postgres';

/**
 * Runs with an empty database of a PostgreSQL server of its own, which answers a commit when it is on the disk.
 *
 * @throws {Error} No PostgreSQL is installed.
 */
export async function withDatabase<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  await using server = await startPostgres(runSql, { isDurable: true });
  return await use(await server.createDatabase());
}

/** Runs SQL over a connection of its own. */
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

import { HostError } from '@parley/host';
import type { Sql } from 'postgres';
import { inTransaction } from '../transaction.ts';
import { migrations } from './migrations.ts';

/** The number of the advisory lock under which one process changes the schema: `parley` as letters of a telephone. */
const lockNumber = 727_539;

/**
 * Creates the schema `parley` in the database, or brings it up to this version. Several processes may do so at once.
 *
 * @throws {HostError} `failed`: a newer version of Parley has changed the schema.
 */
export async function migrate(sql: Sql): Promise<void> {
  await checkServer(sql);
  const applied = await appliedSteps(sql);
  checkNotNewer(applied);
  if (applied === migrations.length) return;
  await inTransaction(sql, async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lockNumber})`;
    await transaction`create schema if not exists parley`;
    await transaction`create table if not exists parley.migrations (step int primary key, applied_at timestamptz not null default now())`;
    const [row] = await transaction`select coalesce(max(step), 0) as step from parley.migrations`;
    const from = Number(row?.['step']);
    checkNotNewer(from);
    for (const [index, statements] of migrations.entries()) {
      const step = index + 1;
      if (step <= from) continue;
      await transaction.unsafe(statements);
      await transaction`insert into parley.migrations (step) values (${step})`;
    }
  });
}

/** The oldest version of PostgreSQL that is supported. */
export const oldestServer = 15;

async function checkServer(sql: Sql): Promise<void> {
  const version = await serverVersion(sql);
  if (version >= oldestServer) return;
  throw new HostError(
    'failed',
    `the database is PostgreSQL ${String(version)}: use version ${String(oldestServer)} or newer`,
  );
}

/** The major version of the server. */
export async function serverVersion(sql: Sql): Promise<number> {
  const [row] = await sql`select current_setting('server_version_num')::int as version`;
  return Math.floor(Number(row?.['version']) / 10_000);
}

/** The last migration of the database; 0 without any. Needs no lock, and no rights to change anything. */
export async function appliedSteps(sql: Sql): Promise<number> {
  const [table] = await sql`select to_regclass('parley.migrations') is not null as "exists"`;
  if (table?.['exists'] !== true) return 0;
  const [row] = await sql`select coalesce(max(step), 0) as step from parley.migrations`;
  return Number(row?.['step']);
}

function checkNotNewer(step: number): void {
  if (step <= migrations.length) return;
  throw new HostError(
    'failed',
    `the schema "parley" of the database is version ${String(step)}, and this version of Parley knows ${String(migrations.length)}: use the version that migrated it, or a newer one`,
  );
}

import { HostError } from '@parley/host';
import type { PostgresStore } from '@parley/postgres';
import { CliError } from '../cli-error.ts';
import { framesFolder } from '../configuration/places.ts';
import type { Surroundings } from '../surroundings.ts';
import { parseStore } from './parse-store.ts';

/** Opens a database for a command. A machine without one never loads what it needs for that. */
export async function openDatabase(url: string, { env }: Pick<Surroundings, 'env'>): Promise<PostgresStore> {
  const { postgresStore } = await import('@parley/postgres');
  const store = postgresStore({ url, env, folder: framesFolder(env) });
  try {
    await store.ready();
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    // It names the store.
    if (error instanceof HostError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`could not open the store ${store.name}: ${reason}`, { cause: error });
  }
}

/**
 * Runs a command with the database that `--store` or `PARLEY_STORE` names; without one, with the files of this machine.
 *
 * @throws {CliError} `usage`: `--store` is a folder, and the command would use other sessions than those in it
 */
export async function withDatabase<Result>(
  typed: string | undefined,
  surroundings: Pick<Surroundings, 'cwd' | 'env'>,
  run: (database: PostgresStore | undefined) => Promise<Result>,
): Promise<Result> {
  const place = parseStore(typed, surroundings);
  if (typed !== undefined && place?.kind === 'folder') {
    throw new CliError('usage', '--store: expected the URL of a database, postgres://USER@HOST/DATABASE');
  }
  if (place?.kind !== 'database') return run(undefined);
  await using database = await openDatabase(place.url, surroundings);
  return await run(database);
}

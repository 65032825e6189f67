import type { Surroundings } from '../surroundings.ts';
import { withDatabase } from './open-database.ts';

/** Where the sessions are, as typed. */
export interface TypedStore {
  readonly store?: string;
}

/** `--store` of commands that read stored sessions. */
export const storeOption = [
  '--store <url>',
  'the sessions in this database instead of those of this machine (default: PARLEY_STORE)',
] as const;

/** Runs a command on the sessions that `--store` or `PARLEY_STORE` names. */
export function inStore(
  { store }: TypedStore,
  surroundings: Surroundings,
  run: (here: Surroundings) => Promise<number>,
): Promise<number> {
  return withDatabase(store, surroundings, (database) =>
    run(database === undefined ? surroundings : { ...surroundings, sessions: database }),
  );
}

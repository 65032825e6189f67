import path from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';

/** Where sessions are stored, by `--store` or `PARLEY_STORE`. */
export type StorePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'database'; readonly url: string };

/** The store that a flag names, else `PARLEY_STORE`; undefined for none. */
export function parseStore(
  typed: string | undefined,
  { cwd, env }: { readonly cwd: string; readonly env: Variables },
): StorePlace | undefined {
  const { PARLEY_STORE: variable = '' } = env;
  const given = typed ?? variable;
  if (given === '') return undefined;
  const isUrl = /^(?:postgres(?:ql)?:|[a-z][\w+.-]*:\/\/)/iu.test(given);
  if (!isUrl) return { kind: 'folder', folder: path.resolve(cwd, given) };
  if (!/^postgres(ql)?:\/\//u.test(given) || !URL.canParse(given)) {
    // Another URL is no folder. It may contain a password.
    throw new CliError(
      'usage',
      `${typed === undefined ? 'PARLEY_STORE' : '--store'}: not a URL of PostgreSQL; expected postgres://USER@HOST/DATABASE`,
    );
  }
  return { kind: 'database', url: given };
}

import { makeToken, toTokenRecord, watchTokens, type TokenRecord } from '@parley/gateway';
import { tokensFile } from '../configuration/places.ts';
import type { ServeFlags } from './flags.ts';
import type { HubOptions } from './hub-options.ts';

/** How often the file of the tokens is looked at. */
const everyMs = 1000;

/** The tokens that count. */
export interface OpenTokens extends Disposable {
  /** The user's own. */
  readonly own: TokenRecord;
  readonly all: readonly TokenRecord[];
}

/** The token that was given, or else one that nobody knows and sign-in links rest on, and those of the file. */
export async function openTokens(flags: ServeFlags, { surroundings, log }: HubOptions): Promise<OpenTokens> {
  const own = toTokenRecord(flags.token?.value ?? makeToken(), { name: 'owner', scope: 'admin' });
  const watched = await watchTokens(tokensFile(surroundings.env), {
    everyMs,
    onFault: (error) => {
      log.error('named tokens count no more', {
        error: error instanceof Error ? error.message : String(error),
      });
    },
  });
  return {
    own,
    get all() {
      return [own, ...watched.tokens];
    },
    [Symbol.dispose]: () => {
      watched[Symbol.dispose]();
    },
  };
}

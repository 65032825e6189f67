import {
  hubTokenId,
  makeToken,
  serverTokenId,
  toTokenRecord,
  watchTokens,
  type TokenRecord,
} from '@parley/gateway';
import { tokensFile } from '../configuration/places.ts';
import type { ServeFlags } from './flags.ts';
import type { ServerOptions } from './server-options.ts';

/** How often the file of the tokens is checked. With the check of open streams, revocation takes effect within a second. */
const everyMs = 250;

/** The tokens that count. */
export interface OpenTokens extends Disposable {
  /** The user's own. */
  readonly own: TokenRecord;
  /** What the commands of this user bring, which find it in `hub.json`. */
  readonly hub: string;
  readonly all: readonly TokenRecord[];
  /** Those of the file. */
  readonly named: readonly TokenRecord[];
}

/** The token that was given, or else a secret one that sign-in links rest on, and those of the file. */
export async function openTokens(
  flags: ServeFlags,
  { surroundings, log }: ServerOptions,
): Promise<OpenTokens> {
  const own = toTokenRecord(flags.token?.value ?? makeToken(), {
    id: serverTokenId,
    name: 'owner',
    scope: 'admin',
  });
  const hub = makeToken();
  const hubRecord = toTokenRecord(hub, { id: hubTokenId, name: 'hub', scope: 'admin' });
  const watched = await watchTokens(tokensFile(surroundings.env), {
    everyMs,
    onFault: (error) => {
      log.error('the named tokens are not valid until this is resolved', {
        error: error instanceof Error ? error.message : String(error),
      });
    },
  });
  return {
    own,
    hub,
    get all() {
      return [own, hubRecord, ...watched.tokens];
    },
    get named() {
      return watched.tokens;
    },
    [Symbol.dispose]: () => {
      watched[Symbol.dispose]();
    },
  };
}

import {
  hubTokenId,
  makeToken,
  serverTokenId,
  toTokenRecord,
  watchTokens,
  type TokenRecord,
} from '@parley/gateway';
import type { ListPlace } from '@parley/workspace';
import type { ServeFlags } from '../flags.ts';
import { messageOf } from '../log.ts';
import type { ServerOptions } from '../server-options.ts';

/**
 * Interval of checks of the token file. Together with the check of open streams, a revocation takes effect within a
 * second.
 */
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
  /** Looks for tokens that were added just now. */
  refresh(): Promise<void>;
}

/**
 * The token that was given, and those of the file. Without a given one, sign-in links rest on a digest that no token has.
 *
 * @param stored Where the named ones are stored, and that digest: the same at each start, so that browsers stay signed in.
 */
export async function openTokens(
  flags: ServeFlags,
  { log }: ServerOptions,
  { place, ownDigest }: { readonly place: ListPlace; readonly ownDigest: string },
): Promise<OpenTokens> {
  const traits = { id: serverTokenId, name: 'owner', scope: 'admin' } as const;
  const own: TokenRecord =
    flags.token === undefined ? { ...traits, sha256: ownDigest } : toTokenRecord(flags.token.value, traits);
  const hub = makeToken();
  const hubRecord = toTokenRecord(hub, { id: hubTokenId, name: 'hub', scope: 'admin' });
  const watched = await watchTokens(place, {
    everyMs,
    onFault: (error, isReachable) => {
      const what = isReachable
        ? 'the named tokens are not valid until this is resolved'
        : 'changes of the named tokens have no effect here until the database can be reached';
      log.error(what, {
        error: messageOf(error),
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
    refresh: () => watched.refresh(),
    [Symbol.dispose]: () => {
      watched[Symbol.dispose]();
    },
  };
}

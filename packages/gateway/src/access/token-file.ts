import { setTimeout as delay } from 'node:timers/promises';
import { stateList, watchList, WorkspaceError, type ListPlace, type StateList } from '@parley/workspace';
import { fields, oneOf, optional, parserOf, text, type Schema } from '@parley/workspace/schema';
import * as v from 'valibot';
import { GatewayError } from '../gateway-error.ts';
import { makeToken, scopes, tokenId, toTokenRecord, type Scope, type TokenRecord } from './token.ts';

/** A stored token. */
export interface StoredToken extends TokenRecord {
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on it is treated as revoked. @default it does not expire */
  readonly expiresAt?: string;
}

/** What a new token is allowed, and until when. */
export interface NewToken {
  readonly name: string;
  readonly scope: Scope;
  /** How long it is valid. @default until it is revoked */
  readonly lifetimeMs?: number;
}

/**
 * Named tokens that outlive the server, in a file that only its owner can read, or in a document that servers share. They contain
 * no token in plain text.
 *
 * Each method throws a `WorkspaceError` with the code `insecure` if the file is a link, belongs to another user, or
 * is accessible to other users.
 */
export interface TokenFile {
  list(): Promise<readonly StoredToken[]>;
  /**
   * Creates a token.
   *
   * @returns The token itself, which is not stored.
   * @throws {GatewayError} `name-taken`: a valid token has the name.
   */
  add(token: NewToken): Promise<string>;
  /** Revokes a token; false if no token has the name. */
  revoke(name: string): Promise<boolean>;
}

/** How a file of tokens is used. */
export interface TokenFileOptions {
  /** @default Date.now */
  readonly now?: () => number;
}

/** Checks whether a token has expired at a time, in milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<StoredToken, 'expiresAt'>, time: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= time;
}

/** Opens the list of tokens, which need not exist. */
export function tokenFile(place: ListPlace, { now = Date.now }: TokenFileOptions = {}): TokenFile {
  const list = tokenList(place);
  return {
    list: () => list.read(),
    add: async ({ name, scope, lifetimeMs }) => {
      const token = makeToken();
      const createdMs = now();
      const entry = {
        ...toTokenRecord(token, { name, scope }),
        createdAt: toTimestamp(createdMs),
        ...(lifetimeMs !== undefined && { expiresAt: toTimestamp(createdMs + lifetimeMs) }),
      };
      await list.change((entries) => {
        // An expired token is like a revoked one: its name is free. What it owned stays with its id.
        const others = entries.filter((known) => known.name !== name || !isExpired(known, createdMs));
        if (others.some((known) => known.name === name)) {
          throw new GatewayError('name-taken', `a token ${JSON.stringify(name)} already exists`);
        }
        return [...others, entry];
      });
      return token;
    },
    revoke: async (name) => {
      let isFound = false;
      await list.change((entries) => {
        isFound = entries.some((known) => known.name === name);
        return entries.filter((known) => known.name !== name);
      });
      return isFound;
    },
  };
}

/** The current tokens of a list. */
export interface WatchedTokens extends Disposable {
  /** The valid tokens: neither revoked nor expired. */
  readonly tokens: readonly TokenRecord[];
  /** Looks at the file again, for a token that is not among them: it may have been added just now. */
  refresh(): Promise<void>;
}

/** Options of `watchTokens`. */
export interface WatchTokensOptions {
  /** Interval of checks of the file. */
  readonly everyMs: number;
  /**
   * Called once for each reason why the tokens cannot be read.
   *
   * @param isReachable False where they are in a database that cannot be reached: until it can be, they stay as they are. Else none of them is valid
   *   until they can be read again.
   */
  readonly onFault: (error: unknown, isReachable: boolean) => void;
  /** @default Date.now */
  readonly now?: () => number;
}

/** Minimum interval between two reads of the file for unknown tokens. */
const refreshMs = 20;

/** Reads the tokens, and reads them again after each change, so that a revocation takes effect here too. */
export async function watchTokens(
  place: ListPlace,
  { everyMs, onFault, now = Date.now }: WatchTokensOptions,
): Promise<WatchedTokens> {
  const list = tokenList(place);
  let tokens = await list.read();
  let fault = '';
  const read = async (): Promise<boolean> => {
    try {
      tokens = await list.read();
      fault = '';
      return true;
    } catch (error) {
      const isReachable = typeof place === 'string' || error instanceof WorkspaceError;
      if (isReachable) tokens = [];
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== fault) onFault(error, isReachable);
      fault = reason;
      return false;
    }
  };
  const watched = await watchList(place, { everyMs, onChange: read });
  let next: Promise<void> | undefined;
  const lookSoon = async (): Promise<void> => {
    await delay(refreshMs);
    next = undefined;
    await watched.look();
  };
  return {
    get tokens() {
      return tokens.filter((token) => !isExpired(token, now()));
    },
    refresh: () => (next ??= lookSoon()),
    [Symbol.dispose]: () => {
      watched[Symbol.dispose]();
    },
  };
}

/** SHA-256 in hexadecimal, as it is stored. */
export const storedDigest: Schema<string> = v.pipe(v.string(), v.regex(/^[\da-f]{64}$/u));

const storedToken: Schema<StoredToken> = v.pipe(
  fields({
    name: text,
    scope: oneOf(scopes),
    sha256: storedDigest,
    createdAt: text,
    // A date that cannot be read must not make a token valid for ever.
    expiresAt: optional(
      v.pipe(
        v.string(),
        v.check((time) => !Number.isNaN(Date.parse(time))),
      ),
    ),
  }),
  v.transform((token) => ({ id: tokenId(token.sha256), ...token })),
);

/** An entry that cannot be read is no token; the others are valid all the same. */
function tokenList(place: ListPlace): StateList<StoredToken> {
  return stateList(place, parserOf(storedToken), { isPrivate: true, skipsUnknown: true });
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * What the holder of a token may do.
 *
 * - `observe`: look at all sessions, change nothing.
 * - `use`: have sessions of its own, over AAP and ACP, and see no others.
 * - `admin`: what the owner may.
 */
export type Scope = (typeof scopes)[number];

/** All scopes, the widest first. */
export const scopes = ['admin', 'use', 'observe'] as const;

/** Whether a word is one of them. */
export function isScope(word: unknown): word is Scope {
  return scopes.some((scope) => scope === word);
}

/** The token that a request came with. */
export interface Principal {
  /** Identifies the token. Sessions are owned by it: unlike a name, an id is never used for another token. */
  readonly id: string;
  /** What people call it. A name can be given again once its token was revoked. */
  readonly name: string;
  readonly scope: Scope;
}

/** A token as the server stores it: enough to check a token, not enough to make one. */
export interface TokenRecord extends Principal {
  /** SHA-256 of the token, in hex. Enough for what cannot be guessed. */
  readonly sha256: string;
}

/** What a token record is made of besides the token. */
export interface TokenTraits extends Pick<Principal, 'name' | 'scope'> {
  /** @default derived from the token */
  readonly id?: string;
}

/** The id of the server's own token, which is another one at each start and always has the scope `admin`. */
export const serverTokenId = 'token:server';

/** The id of the token in `hub.json`, which is another one at each start and always has the scope `admin`. */
export const hubTokenId = 'token:hub';

/** Makes a random token. */
export function makeToken(): string {
  return `parley_${randomBytes(24).toString('base64url')}`;
}

/** The record that is stored for a token. */
export function toTokenRecord(token: string, { name, scope, id }: TokenTraits): TokenRecord {
  const sha256 = digest(token).toString('hex');
  return { id: id ?? tokenId(sha256), name, scope, sha256 };
}

/**
 * The id of the token with this digest. It is derived, not stored: a record of any version of the file has one, and it is
 * as unique as the token, regardless of the file. No name of a token contains a colon, so that an id is never taken for a name.
 */
export function tokenId(sha256: string): string {
  return `${idPrefix}${sha256.slice(0, 32)}`;
}

/** Whether an owner is the id of a token. Before there were ids, it was the token's name. */
export function isTokenId(owner: string): boolean {
  return owner.startsWith(idPrefix);
}

const idPrefix = 'token:';

/** The record of a token. Takes as long whether there is one or not. */
export function findToken(token: string, records: Iterable<TokenRecord>): TokenRecord | undefined {
  const given = digest(token);
  let found: TokenRecord | undefined;
  for (const record of records) {
    const kept = Buffer.from(record.sha256, 'hex');
    if (kept.length === given.length && timingSafeEqual(kept, given)) found = record;
  }
  return found;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The rights of a token.
 *
 * - `observe`: read all sessions, change nothing.
 * - `use`: create sessions over AAP and ACP, and see only those.
 * - `admin`: full access.
 */
export type Scope = (typeof scopes)[number];

/** All scopes, the widest first. */
export const scopes = ['admin', 'use', 'observe'] as const;

/** The token of a request. */
export interface Principal {
  /** The id of the token. Sessions belong to the id: unlike a name, it is never reused. */
  readonly id: string;
  /** The name of the token. It can be reused after the token was revoked. */
  readonly name: string;
  readonly scope: Scope;
}

/** A stored token: enough to verify a token, but not to derive it. */
export interface TokenRecord extends Principal {
  /** SHA-256 of the token in hex, which is sufficient for random tokens. */
  readonly sha256: string;
}

/** The fields of a token record without the token. */
export interface TokenTraits extends Pick<Principal, 'name' | 'scope'> {
  /** @default derived from the token */
  readonly id?: string;
}

/**
 * The id of the server's own token, which always has the scope `admin`: the one passed at start, else that of sign-in
 * links.
 */
export const serverTokenId = 'token:server';

/** The id of the token in `hub.json`, which is different at each start and always has the scope `admin`. */
export const hubTokenId = 'token:hub';

/** Creates a random token. */
export function makeToken(): string {
  return `parley_${randomBytes(24).toString('base64url')}`;
}

/** Creates the stored record of a token. */
export function toTokenRecord(token: string, { name, scope, id }: TokenTraits): TokenRecord {
  const sha256 = digest(token).toString('hex');
  return { id: id ?? tokenId(sha256), name, scope, sha256 };
}

/**
 * Returns the id of the token with this digest. It is derived, not stored: a record in any version of the file has
 * one, and it is as unique as the token. Names of tokens contain no colon, so that an id cannot be mistaken for a
 * name.
 */
export function tokenId(sha256: string): string {
  return `${idPrefix}${sha256.slice(0, 32)}`;
}

/** Whether an owner is the id of a token. Before there were ids, it was the token's name. */
export function isTokenId(owner: string): boolean {
  return owner.startsWith(idPrefix);
}

const idPrefix = 'token:';

/** Finds the record of a token in constant time, whether it exists or not. */
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

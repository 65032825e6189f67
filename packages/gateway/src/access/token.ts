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

/** Who a request is from. */
export interface Principal {
  readonly name: string;
  readonly scope: Scope;
}

/** Somebody who may come in, as it is kept: who has this can check a token, but not make one. */
export interface TokenRecord extends Principal {
  /** SHA-256 of the token, in hex. Enough for what nobody can guess. */
  readonly sha256: string;
}

/** Makes a token that nobody can guess. */
export function makeToken(): string {
  return `parley_${randomBytes(24).toString('base64url')}`;
}

/** What is kept of a token. */
export function toTokenRecord(token: string, { name, scope }: Principal): TokenRecord {
  return { name, scope, sha256: digest(token).toString('hex') };
}

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

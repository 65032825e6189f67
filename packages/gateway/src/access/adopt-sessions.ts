import { changeOwners, type SessionStore } from '@parley/aap/server';
import { isTokenId, type Principal } from './token.ts';

/**
 * Converts sessions whose owner is the name of a token, as earlier versions stored it, to the token's id. Sessions that are
 * converted are left alone.
 *
 * @returns How many sessions were converted.
 */
export function adoptSessions(store: SessionStore, tokens: readonly Principal[]): Promise<number> {
  return changeOwners(store, { ownerOf: (owner) => toTokenId(owner, tokens) });
}

/**
 * The id of the token that a session's owner is stored as, by id or, in earlier versions, by name. A name that no valid token has, or
 * several have, leaves its sessions to `admin`: a later token of that name must not get them.
 */
export function toTokenId(owner: string, tokens: readonly Principal[]): string | undefined {
  if (isTokenId(owner)) return owner;
  const [token, ...others] = tokens.filter(({ name }) => name === owner);
  return others.length === 0 ? token?.id : undefined;
}

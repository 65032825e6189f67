import { changeOwners, type AapSessionStore } from '@parley/aap/server';
import { isTokenId, type Principal } from './token.ts';

/**
 * Converts sessions whose owner is stored as the name of a token, as in earlier versions, to the token's id.
 * Converted sessions are not changed.
 *
 * @returns The number of converted sessions.
 */
export function adoptSessions(store: AapSessionStore, tokens: readonly Principal[]): Promise<number> {
  return changeOwners(store, { ownerOf: (owner) => toTokenId(owner, tokens) });
}

/**
 * Returns the id of the token that owns a session, which may be stored by id or, in earlier versions, by name. If no
 * valid token, or several, have the name, the sessions go to `admin`: a later token of that name must not get them.
 */
export function toTokenId(owner: string, tokens: readonly Principal[]): string | undefined {
  if (isTokenId(owner)) return owner;
  const [token, ...others] = tokens.filter(({ name }) => name === owner);
  return others.length === 0 ? token?.id : undefined;
}

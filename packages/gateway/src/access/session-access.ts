import type { Principal } from './token.ts';

/** What a request does with a session: it reads it, or changes it. */
export type SessionUse = 'look' | 'change';

/**
 * Whether a request may do that.
 *
 * - `unknown`: the session belongs to another token. The request is answered as if it did not exist.
 * - `read-only`: the token may see the session, and change none.
 */
export type SessionAccess = 'allowed' | 'unknown' | 'read-only';

/**
 * Decides what a token may do with a session. All protocols use this rule.
 *
 * @param owner The id of the token that the session belongs to; undefined if only `admin` may use it.
 */
export function judgeSession(
  { id, scope }: Principal,
  owner: string | undefined,
  use: SessionUse,
): SessionAccess {
  switch (scope) {
    case 'admin':
      return 'allowed';
    case 'observe':
      return use === 'look' ? 'allowed' : 'read-only';
    case 'use':
      return owner === id ? 'allowed' : 'unknown';
  }
}

/** Whether a token sees the sessions of all tokens. */
export function seesAllSessions(principal: Principal): boolean {
  return judgeSession(principal, undefined, 'look') === 'allowed';
}

/** Whether a token may create sessions, which then belong to it. */
export function mayBeginSessions({ scope }: Principal): boolean {
  return scope !== 'observe';
}

/** Whether a token may change what all sessions share, such as an agent's sign-in. */
export function mayAdminister({ scope }: Principal): boolean {
  return scope === 'admin';
}

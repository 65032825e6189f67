import { lstat } from 'node:fs/promises';
import { stateList, type StateList } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import { isScope, makeToken, tokenId, toTokenRecord, type Scope, type TokenRecord } from './token.ts';

/** A token as the file has it. */
export interface StoredToken extends TokenRecord {
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on it is treated like a revoked one. @default it does not expire */
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
 * Named tokens that outlive the server, in a file that only its owner may read. It has no token in plain.
 *
 * Each method throws a `WorkspaceError` with the code `insecure` when the file is a link, belongs to another user, or other users
 * may read or write it.
 */
export interface TokenFile {
  list(): Promise<readonly StoredToken[]>;
  /**
   * Makes a token.
   *
   * @returns The token itself, which is stored nowhere.
   * @throws {GatewayError} `name-taken`: a valid token has the name.
   */
  add(token: NewToken): Promise<string>;
  /** Takes one away; false when there is none of that name. */
  revoke(name: string): Promise<boolean>;
}

/** How a file of tokens is used. */
export interface TokenFileOptions {
  /** @default Date.now */
  readonly now?: () => number;
}

/** Whether a token is no longer valid at this time, in milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<StoredToken, 'expiresAt'>, time: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= time;
}

/** The tokens in this file; it need not be there. */
export function tokenFile(file: string, { now = Date.now }: TokenFileOptions = {}): TokenFile {
  const list = tokenList(file);
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
          throw new GatewayError('name-taken', `there is a token ${JSON.stringify(name)} already`);
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

/** The tokens of a file as they are now. */
export interface WatchedTokens extends Disposable {
  /** Those that are valid now: neither revoked nor expired. */
  readonly tokens: readonly TokenRecord[];
}

/** How the tokens of a file are watched. */
export interface WatchTokensOptions {
  /** How often the file is looked at. */
  readonly everyMs: number;
  /** It cannot be read, called once for each reason. Until it can, no token of it is valid. */
  readonly onFault: (error: unknown) => void;
  /** @default Date.now */
  readonly now?: () => number;
}

/** Reads the tokens of a file, and again whenever it was changed: what is revoked counts no more, also here. */
export async function watchTokens(
  file: string,
  { everyMs, onFault, now = Date.now }: WatchTokensOptions,
): Promise<WatchedTokens> {
  const list = tokenList(file);
  let seen = await stampOf(file);
  let tokens = await list.read();
  let fault = '';
  const look = async (): Promise<void> => {
    const stamp = await stampOf(file);
    if (stamp === seen) return;
    try {
      tokens = await list.read();
      seen = stamp;
      fault = '';
    } catch (error) {
      tokens = [];
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== fault) onFault(error);
      fault = reason;
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return {
    get tokens() {
      return tokens.filter((token) => !isExpired(token, now()));
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

/** An entry that cannot be read is no token; the others are valid all the same. */
function tokenList(file: string): StateList<StoredToken> {
  return stateList(file, parseToken, { isPrivate: true, skipsUnknown: true });
}

/** Distinguishes the states of a file. */
async function stampOf(file: string): Promise<string> {
  try {
    // A change of owner or mode changes `ctime`.
    const { ino, mtimeMs, ctimeMs, size } = await lstat(file);
    return [ino, mtimeMs, ctimeMs, size].join();
  } catch {
    return '';
  }
}

function parseToken(value: unknown): StoredToken | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('name' in value && 'scope' in value && 'sha256' in value && 'createdAt' in value)) return undefined;
  const { name, scope, sha256, createdAt } = value;
  if (typeof name !== 'string' || !isScope(scope) || typeof createdAt !== 'string') return undefined;
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/u.test(sha256)) return undefined;
  const expiresAt = 'expiresAt' in value ? value.expiresAt : undefined;
  if (expiresAt !== undefined && !isTimestamp(expiresAt)) return undefined;
  return {
    id: tokenId(sha256),
    name,
    scope,
    sha256,
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** A date that cannot be read must not make a token valid for ever. */
function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}

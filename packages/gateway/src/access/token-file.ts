import { stat } from 'node:fs/promises';
import { stateList } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import { isScope, makeToken, toTokenRecord, type Scope, type TokenRecord } from './token.ts';

/** A token as the file has it. */
export interface StoredToken extends TokenRecord {
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Named tokens that outlive the server, in a file that only its owner may read. It has no token in plain. */
export interface TokenFile {
  list(): Promise<readonly StoredToken[]>;
  /**
   * Makes a token.
   *
   * @returns The token itself, which nobody can tell again.
   * @throws {GatewayError} `name-taken`
   */
  add(name: string, scope: Scope): Promise<string>;
  /** Takes one away; false when there is none of that name. */
  revoke(name: string): Promise<boolean>;
}

/** The tokens in this file; it need not be there. */
export function tokenFile(file: string): TokenFile {
  const list = stateList(file, parseToken);
  return {
    list: () => list.read(),
    add: async (name, scope) => {
      const token = makeToken();
      const entry = { ...toTokenRecord(token, { name, scope }), createdAt: new Date().toISOString() };
      await list.change((entries) => {
        if (entries.some((known) => known.name === name)) {
          throw new GatewayError('name-taken', `there is a token ${JSON.stringify(name)} already`);
        }
        return [...entries, entry];
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
  readonly tokens: readonly TokenRecord[];
}

/** How the tokens of a file are watched. */
export interface WatchTokensOptions {
  /** How often the file is looked at. */
  readonly everyMs: number;
  /** It could not be read. Nobody comes in with a token of it until it can. */
  readonly onFault: (error: unknown) => void;
}

/** Reads the tokens of a file, and again whenever it was changed: what is revoked counts no more, also here. */
export async function watchTokens(
  file: string,
  { everyMs, onFault }: WatchTokensOptions,
): Promise<WatchedTokens> {
  const list = stateList(file, parseToken);
  let seen = await stampOf(file);
  let tokens: readonly TokenRecord[] = await list.read();
  const look = async (): Promise<void> => {
    const stamp = await stampOf(file);
    if (stamp === seen) return;
    try {
      tokens = await list.read();
      seen = stamp;
    } catch (error) {
      tokens = [];
      throw error;
    }
  };
  const timer = setInterval(() => {
    look().catch(onFault);
  }, everyMs);
  timer.unref();
  return {
    get tokens() {
      return tokens;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

/** Tells one state of a file from another. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return [ino, mtimeMs, size].join();
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
  return { name, scope, sha256, createdAt };
}

import { stateList } from '@parley/workspace';
import { defaultLimits } from '../limits.ts';
import { createBrowserSessions, type BrowserRecord, type BrowserSessions } from './browser-sessions.ts';

/** Browser sessions that outlive the server. */
export interface KeptBrowserSessions extends BrowserSessions, AsyncDisposable {}

/** How browser sessions are kept. */
export interface BrowserFileOptions {
  /** @default that of `defaultLimits` */
  readonly limits?: { readonly browserSessions: number; readonly browserSessionMs: number };
  /** The file could not be written: who signs in now has to again after a restart. */
  readonly onFault: (error: unknown) => void;
  /** The wall clock. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps the browsers that are signed in in a file, which has no cookie and no token in plain, and is for its owner only. A
 * cookie counts as long as the token it was given for, so that one of a token that is made at each start ends with the server.
 */
export async function openBrowserFile(
  file: string,
  { limits = defaultLimits, onFault, now = Date.now }: BrowserFileOptions,
): Promise<KeptBrowserSessions> {
  // Who can add a record can sign in. Earlier versions stored records of other kinds too, which sign in no browser.
  const list = stateList(file, parseRecord, { isPrivate: true, skipsUnknown: true });
  let wanted: readonly BrowserRecord[] | undefined;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const records = wanted;
    wanted = undefined;
    // An earlier turn of the queue has written what is there now.
    if (records !== undefined) await list.change(() => records);
  };
  const sessions = createBrowserSessions({
    limit: limits.browserSessions,
    lifetimeMs: limits.browserSessionMs,
    now,
    records: await list.read(),
    onChange: (records) => {
      wanted = records;
      writing = writing.then(write).catch(onFault);
    },
  });
  return { ...sessions, [Symbol.asyncDispose]: () => writing };
}

function parseRecord(value: unknown): BrowserRecord | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value && 'id' in value)) return undefined;
  const { kind, id } = value;
  if (typeof id !== 'string') return undefined;
  if (kind === 'server') return /^[\da-f]{12}$/u.test(id) ? { kind, id } : undefined;
  if (kind !== 'browser' || !isDigest(id) || !('token' in value && 'seenAt' in value)) return undefined;
  const { token, seenAt } = value;
  return isDigest(token) && typeof seenAt === 'number' ? { kind, id, token, seenAt } : undefined;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{64}$/u.test(value);
}

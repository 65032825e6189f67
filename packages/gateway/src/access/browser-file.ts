import { setTimeout as delay } from 'node:timers/promises';
import { stateList, watchList, type ListPlace } from '@parley/workspace';
import { parserOf, type Schema } from '@parley/workspace/schema';
import * as v from 'valibot';
import { defaultLimits } from '../limits.ts';
import {
  createBrowserSessions,
  identityIn,
  type BrowserChange,
  type BrowserRecord,
  type BrowserSessions,
} from './browser-sessions.ts';
import { storedDigest } from './token-file.ts';

/** Browser sessions that survive restarts of the server. */
export interface KeptBrowserSessions extends BrowserSessions, AsyncDisposable {
  /** Looks for browsers that have just signed in at another server. Never rejects. */
  refresh(): Promise<void>;
}

/** Options for stored browser sessions. */
export interface BrowserFileOptions {
  /** @default that of `defaultLimits` */
  readonly limits?: { readonly browserSessions: number; readonly browserSessionMs: number };
  /** Called if the file cannot be written: new sign-ins then end with the server. */
  readonly onFault: (error: unknown) => void;
  /** The wall clock. @default Date.now */
  readonly now?: () => number;
}

/**
 * Stores the signed-in browsers in a file that only its owner can read, or in a document that servers share. They contain
 * digests, but neither cookies nor tokens. A cookie is valid as long as its token.
 */
export async function openBrowserFile(
  place: ListPlace,
  { limits = defaultLimits, onFault, now = Date.now }: BrowserFileOptions,
): Promise<KeptBrowserSessions> {
  // Who can add a record can sign in. Earlier versions stored records of other kinds too, which sign in no browser.
  const list = stateList(place, parserOf(browserRecord), { isPrivate: true, skipsUnknown: true });
  /** What happened here and is not stored yet. */
  let waiting: readonly BrowserChange[] = [];
  let writing = Promise.resolve();
  // Of servers that begin at once, all go by the name of the first.
  const isShared = typeof place !== 'string';
  const records = isShared
    ? await list.change((stored) => identified(stored, identityIn(stored)))
    : await list.read();
  const write = async (): Promise<void> => {
    const changes = waiting;
    waiting = [];
    // An earlier turn of the queue has written what is there now.
    if (changes.length === 0) return;
    await list.change((stored) =>
      bounded(changed(identified(stored, sessions), changes), limits.browserSessions),
    );
  };
  const sessions = createBrowserSessions({
    limit: limits.browserSessions,
    lifetimeMs: limits.browserSessionMs,
    now,
    records,
    onChange: (change) => {
      waiting = [...waiting, change];
      writing = writing.then(write).catch(onFault);
    },
  });
  const read = async (): Promise<boolean> => {
    try {
      await writing;
      sessions.replace(changed(await list.read(), waiting));
      return true;
    } catch (error) {
      onFault(error);
      return false;
    }
  };
  let next: Promise<void> | undefined;
  const watched = isShared ? await watchList(place, { everyMs: 0, onChange: read }) : undefined;
  return {
    ...sessions,
    refresh: () => {
      if (watched === undefined) return Promise.resolve();
      next ??= delay(refreshMs).then(() => {
        next = undefined;
        return watched.look();
      });
      return next;
    },
    [Symbol.asyncDispose]: async () => {
      watched?.[Symbol.dispose]();
      await writing;
    },
  };
}

/** How far apart looks for unknown browsers are, however many come. */
const refreshMs = 20;

/** With the identity of the server. */
function identified(
  records: readonly BrowserRecord[],
  { serverId, ownDigest }: Pick<BrowserSessions, 'serverId' | 'ownDigest'>,
): readonly BrowserRecord[] {
  const others = records.filter(({ kind }) => kind === 'browser');
  return [{ kind: 'server', id: serverId }, { kind: 'own', id: ownDigest }, ...others];
}

function changed(
  records: readonly BrowserRecord[],
  changes: readonly BrowserChange[],
): readonly BrowserRecord[] {
  return changes.reduce((before, { id, browser }) => {
    const others = before.filter((record) => record.kind !== 'browser' || record.id !== id);
    return browser === undefined ? others : [...others, { kind: 'browser' as const, id, ...browser }];
  }, records);
}

/** The browsers that were seen last. */
function bounded(records: readonly BrowserRecord[], most: number): readonly BrowserRecord[] {
  const browsers = records.filter(({ kind }) => kind === 'browser');
  return [...records.filter(({ kind }) => kind !== 'browser'), ...browsers.slice(-most)];
}

const browserRecord: Schema<BrowserRecord> = v.variant('kind', [
  v.object({ kind: v.literal('server'), id: v.pipe(v.string(), v.regex(/^[\da-f]{12}$/u)) }),
  v.object({ kind: v.literal('own'), id: storedDigest }),
  v.object({ kind: v.literal('browser'), id: storedDigest, token: storedDigest, seenAt: v.number() }),
]);

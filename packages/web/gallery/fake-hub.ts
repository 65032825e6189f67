import type { HubFrame, ListedAnswer } from '@parley/host/hub';
import type { LoggedEntry, LoggedEvent, SessionState } from '@parley/host/state';
import { emptyState, reduce } from '@parley/host/state';
import type { ChangesRequests } from '../src/hub/changes-requests.ts';
import { fromHub } from '../src/hub/from-hub.ts';
import type { HubClient } from '../src/hub/hub-client.ts';
import { unknownHub, type HubState } from '../src/hub/hub-state.ts';
import { emptyFeed, type SessionFeed } from '../src/hub/session-feed.ts';
import { Store } from '../src/hub/store.ts';

/** What a hub that is made up holds. */
export interface FakeHubOptions {
  readonly state?: Partial<HubState>;
  /** By the keys of sessions. */
  readonly feeds?: Readonly<Record<string, Partial<SessionFeed>>>;
  /** What goes over the wire of each session. */
  readonly watchFrames?: (key: string, onFrames: (frames: readonly HubFrame[]) => void) => () => void;
  /** What was answered for longer than once. */
  readonly remembered?: readonly ListedAnswer[];
  /** What is answered about the changes of each session. */
  readonly changes?: { readonly [Name in keyof ChangesRequests]?: ChangesRequests[Name]['result'] };
}

/** A hub without a server: it shows what it is given, and says in the console what it is asked for. */
export function fakeHub({
  state = {},
  feeds = {},
  remembered = [],
  changes = {},
  watchFrames = () => () => {},
}: FakeHubOptions = {}): HubClient {
  const ask =
    (name: string) =>
    async (...parameters: unknown[]): Promise<void> => {
      console.info(name, ...parameters);
    };
  const store = new Store<HubState>({
    ...unknownHub,
    connection: { state: 'open' },
    isKnown: true,
    isAdmin: true,
    ...state,
  });
  const kept = new Map(
    Object.entries(feeds).map(([key, feed]) => [key, { ...emptyFeed, isCaughtUp: true, ...feed }]),
  );
  return {
    state: store,
    watch: () => () => {},
    feed: (key) => kept.get(key) ?? emptyFeed,
    watchFrames,
    newSession: async (...parameters) => {
      console.info('newSession', ...parameters);
      return 'new';
    },
    resume: ask('resume'),
    prompt: async (...parameters) => {
      console.info('prompt', ...parameters);
      return { stopReason: 'end_turn' };
    },
    cancel: ask('cancel'),
    setMode: ask('setMode'),
    setOption: ask('setOption'),
    answer: ask('answer'),
    answers: async () => remembered,
    revoke: ask('revoke'),
    changes: async (name, ...parameters) => {
      console.info(name, ...parameters);
      return fromHub(changes[name] ?? { files: [], conflicts: [], unreported: [] });
    },
    changeQueue: ask('changeQueue'),
    rename: ask('rename'),
    restart: ask('restart'),
    close: ask('close'),
    remove: ask('remove'),
    fork: async () => 'fork',
    signIn: ask('signIn'),
    reconnect: () => {},
  };
}

/** The view of a session in which these things happened, a second apart. */
export function viewOf(entries: readonly LoggedEntry[]): SessionState {
  let view = emptyState;
  for (const [index, entry] of entries.entries()) {
    const event: LoggedEvent = { seq: index + 1, time: Date.UTC(2026, 10, 22, 9) + index * 1000, ...entry };
    view = reduce(view, event);
  }
  return view;
}

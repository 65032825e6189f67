import { changesMethods, hubMethods, type HubFrame, type ListedAnswer } from '@parley/host/hub';
import type { LoggedEntry, LoggedEvent, SessionState } from '@parley/host/state';
import { emptyState, reduce } from '@parley/host/state';
import type { ChangesRequests } from '../src/hub/changes-requests.ts';
import { fromHub } from '../src/hub/from-hub.ts';
import type { HubClient } from '../src/hub/hub-client.ts';
import { unknownHub, type HubState } from '../src/hub/hub-state.ts';
import { emptyFeed, type SessionFeed } from '../src/hub/session-feed.ts';
import { Store } from '../src/hub/store.ts';

const changesNames = [
  'diffChanges',
  'changedContent',
  'undoChanges',
  'redoChanges',
  'keepHunks',
  'revertHunks',
  'commitChanges',
] as const;

/** The content of the fake hub. */
export interface FakeHubOptions {
  readonly state?: Partial<HubState>;
  /** By the keys of sessions. */
  readonly feeds?: Readonly<Record<string, Partial<SessionFeed>>>;
  /** Returns the frames of a session. */
  readonly watchFrames?: (key: string, onFrames: (frames: readonly HubFrame[]) => void) => () => void;
  /** The remembered answers. */
  readonly remembered?: readonly ListedAnswer[];
  /** What is answered about the changes of each session. */
  readonly changes?: { readonly [Name in keyof ChangesRequests]?: ChangesRequests[Name]['result'] };
}

/** A hub without a server: it shows the given content, and logs requests to the console. */
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
    ask: async (method, params) => {
      console.info(method, params);
      for (const name of changesNames) {
        if (changesMethods[name] === method) {
          return fromHub(changes[name] ?? { files: [], conflicts: [], unreported: [] });
        }
      }
      if (method.startsWith('_parley/worktrees/')) return fromHub({ worktrees: [] });
      if (method === hubMethods.answers) return fromHub({ answers: remembered });
      return fromHub({
        store: 'keychain',
        providers: [{ id: 'openai', model: 'gpt-5', from: 'environment' }],
      });
    },
    hear: () => () => {},
    cancel: ask('cancel'),
    setMode: ask('setMode'),
    setOption: ask('setOption'),
    answer: ask('answer'),
    changeQueue: ask('changeQueue'),
    rename: ask('rename'),
    close: ask('close'),
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

import type { HubAgent, HubQuestion, HubSession } from '@parley/host/hub';
import { SearchPage } from '../src/search/search-page.tsx';
import { NewSessionPage } from '../src/sessions/new-session-page.tsx';
import { SettingsPage } from '../src/settings/settings-page.tsx';
import { Frame } from '../src/shell/frame.tsx';
import { ShortcutList } from '../src/shell/shortcut-list.tsx';
import { fakeSession } from './fake-session.ts';
import type { Scenes } from './scene.ts';

const now = Date.now();
const hour = 3_600_000;

const sessions: readonly HubSession[] = [
  fakeSession({ key: 'a', title: 'Rename the store', state: 'running', updatedAt: now }),
  fakeSession({
    key: 'b',
    title: 'Why does the build fail on Windows, and only there?',
    state: 'waiting',
    questions: 2,
    updatedAt: now - 60_000,
  }),
  fakeSession({ key: 'c', agent: 'gemini', state: 'kept', updatedAt: now - 30 * hour }),
  fakeSession({ key: 'd', agent: 'codex', title: 'Read the logs', state: 'failed', updatedAt: now - hour }),
  fakeSession({ key: 'e', title: 'Tests of the parser', state: 'elsewhere', updatedAt: now - 2 * hour }),
  fakeSession({ key: 'f', title: 'Colours', state: 'ready', updatedAt: now - 80 * hour }),
];

const questions: readonly HubQuestion[] = ['1', '2'].map((requestId) => ({
  kind: 'elicitation',
  key: 'b',
  requestId,
  since: now,
  request: {
    mode: 'form',
    sessionId: 'b',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: {} },
  },
}));

const agents: readonly HubAgent[] = [
  {
    name: 'parley',
    title: 'Parley',
    version: '0.1.0',
    place: 'own',
    signIn: 'not-needed',
    isDefault: true,
    card: {
      time: now,
      startMs: 120,
      signInMethods: [],
      log: '',
      modes: {
        currentModeId: 'confirm',
        availableModes: [
          { id: 'confirm', name: 'Confirm', description: 'Asks before it changes anything' },
          { id: 'full-access', name: 'Full access', description: 'Never asks' },
        ],
      },
      configOptions: [
        {
          type: 'select',
          id: 'model',
          name: 'Model',
          category: 'model',
          currentValue: 'parley/offline',
          options: [{ value: 'parley/offline', name: 'Offline' }],
        },
      ],
    },
  },
  { name: 'gemini', title: 'Gemini CLI', version: '0.38.1', place: 'installed', signIn: 'signed-in' },
  { name: 'codex', title: 'Codex', place: 'installed', signIn: 'needed' },
  {
    name: 'goose',
    title: 'Goose',
    place: 'available',
    signIn: 'unknown',
    install: 'brew install block-goose-cli',
    website: 'https://example.com/goose',
  },
];

const known = {
  agents,
  workspaces: ['/home/ada/engine', '/home/ada/notes'],
  sessions: new Map(sessions.map((session) => [session.key, session])),
  questions,
  person: 'browser 1',
  version: '0.1.0',
};

const many = Array.from({ length: 1000 }, (_, index) =>
  fakeSession({ key: `m${index}`, title: `Session ${index}`, state: 'kept', updatedAt: now - index * hour }),
);

function page(): React.ReactElement {
  return (
    <section className="page">
      <h1>A page</h1>
      <p>What it shows.</p>
    </section>
  );
}

export const scenes: Scenes = {
  frame: { hub: { state: known }, show: () => <Frame>{page()}</Frame> },
  'new-session': {
    hub: { state: known },
    show: () => (
      <Frame>
        <NewSessionPage />
      </Frame>
    ),
  },
  empty: { hub: { state: {} }, show: () => <Frame>{page()}</Frame> },
  many: {
    hub: { state: { sessions: new Map(many.map((session) => [session.key, session])) } },
    show: () => <Frame>{page()}</Frame>,
  },
  lost: {
    hub: {
      state: { ...known, connection: { state: 'waiting', retryAt: performance.now() + 12_000, attempts: 4 } },
    },
    show: () => <Frame>{page()}</Frame>,
  },
  'signed-out': {
    hub: { state: { ...known, connection: { state: 'signed-out' } } },
    show: () => <Frame>{page()}</Frame>,
  },
  connecting: {
    hub: { state: { connection: { state: 'connecting', since: performance.now() - 7000 }, isKnown: false } },
    show: () => <Frame>{page()}</Frame>,
  },
  outdated: { hub: { state: { ...known, isOutdated: true } }, show: () => <Frame>{page()}</Frame> },
  shortcuts: { show: () => <ShortcutList onClose={() => {}} /> },
  settings: {
    hub: { state: known },
    show: () => (
      <Frame>
        <SettingsPage />
      </Frame>
    ),
  },
  search: {
    hub: { state: known },
    show: () => (
      <Frame>
        <SearchPage />
      </Frame>
    ),
  },
};

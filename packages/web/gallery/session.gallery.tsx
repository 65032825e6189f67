import type { HubSession } from '@parley/host/hub';
import type { LoggedEntry } from '@parley/host/state';
import type { HubState } from '../src/hub/hub-state.ts';
import { SessionPage } from '../src/session/session-page.tsx';
import { Frame } from '../src/shell/frame.tsx';
import { viewOf } from './fake-hub.ts';
import { fakeSession } from './fake-session.ts';
import type { Scene, Scenes } from './scene.ts';

const events: readonly LoggedEntry[] = [
  { type: 'journal-start', key: 'a', agent: 'parley', cwd: '/home/ada/engine', program: 'gallery' },
  {
    type: 'turn-start',
    turnId: 't',
    sessionId: 's',
    prompt: [{ type: 'text', text: 'Run the tests.' }],
  },
  {
    type: 'update',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'npm test',
      kind: 'execute',
      status: 'in_progress',
    },
  },
];

const view = viewOf(events);
const asking: readonly LoggedEntry[] = [
  ...events,
  {
    type: 'permission-request',
    sessionId: 's',
    requestId: 'q',
    toolCall: { toolCallId: 'c', title: 'npm test', kind: 'execute' },
    options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }],
  },
];
const crashed = viewOf([...events, { type: 'agent-end', expected: false, signal: 'SIGKILL' }]);

/** A session in a state, on its page. */
function scene(known: Partial<HubSession>, log = ''): Scene {
  const session = fakeSession({
    key: 'a',
    title: 'Rename the store',
    updatedAt: Date.now() - 9000,
    ...known,
  });
  return {
    hub: {
      state: { sessions: new Map([['a', session]]) },
      feeds: { a: { view: log === trouble ? crashed : view, log } },
    },
    show: () => (
      <Frame>
        <SessionPage sessionKey="a" />
      </Frame>
    ),
  };
}

/** A session of an application whose answer it waits for. */
function application(rights: Partial<HubState>): Scene {
  const { hub, show } = scene({ state: 'waiting', origin: 'aap', canFork: true });
  return {
    hub: { state: { ...hub?.state, ...rights }, feeds: { a: { view: viewOf(asking), log: '' } } },
    show,
  };
}

const trouble = 'Error: Cannot find module "./engine.js"\n    at node:internal/modules/cjs/loader:1228\n';

export const scenes: Scenes = {
  running: scene({ state: 'running', canFork: true }),
  kept: scene({ state: 'kept' }),
  elsewhere: scene({ state: 'elsewhere' }),
  starting: scene({ state: 'starting' }, 'Loading configuration\nSigning in\n'),
  restarting: scene(
    { state: 'starting', restart: { attempt: 3, attempts: 5, at: Date.now() + 25_000 } },
    trouble,
  ),
  failed: scene({ state: 'failed', failure: 'it ended with status 1' }, trouble),
  observer: {
    ...scene({ state: 'kept', canFork: true }),
    hub: {
      state: { ...scene({ state: 'kept', canFork: true }).hub?.state, isObserver: true, isAdmin: false },
      feeds: { a: { view, log: '' } },
    },
  },
  application: application({ isAdmin: true }),
  'application-observer': application({ isObserver: true, isAdmin: false }),
  gone: { ...scene({}), hub: { state: {} } },
};

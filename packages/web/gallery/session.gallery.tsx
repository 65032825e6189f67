import type { DeskSession } from '@parley/host/desk';
import { SessionPage } from '../src/session/session-page.tsx';
import { Frame } from '../src/shell/frame.tsx';
import { viewOf } from './fake-desk.ts';
import { fakeSession } from './fake-session.ts';
import type { Scene, Scenes } from './scene.ts';

const view = viewOf([
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
]);

/** A session in a state, on its page. */
function scene(known: Partial<DeskSession>, log = ''): Scene {
  const session = fakeSession({
    key: 'a',
    title: 'Rename the store',
    updatedAt: Date.now() - 9000,
    ...known,
  });
  return {
    desk: { state: { sessions: new Map([['a', session]]) }, feeds: { a: { view, log } } },
    show: () => (
      <Frame>
        <SessionPage sessionKey="a" />
      </Frame>
    ),
  };
}

const trouble = 'Error: Cannot find module "./engine.js"\n    at node:internal/modules/cjs/loader:1228\n';

export const scenes: Scenes = {
  running: scene({ state: 'running', canFork: true }),
  kept: scene({ state: 'kept' }),
  elsewhere: scene({ state: 'elsewhere' }),
  starting: scene({ state: 'starting' }, 'Loading configuration\nSigning in\n'),
  failed: scene({ state: 'failed', failure: 'it ended with status 1' }, trouble),
  gone: { ...scene({}), desk: { state: {} } },
};

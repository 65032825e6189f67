import type { HubSession } from '@parley/host/hub';
import type { LoggedEntry } from '@parley/host/state';
import type { ReactElement } from 'react';
import { PromptBox } from '../src/prompt/prompt-box.tsx';
import { viewOf } from './fake-hub.ts';
import { fakeSession } from './fake-session.ts';
import type { Scene, Scenes } from './scene.ts';

const modes = {
  currentModeId: 'confirm',
  availableModes: [
    { id: 'confirm', name: 'Confirm', description: 'Edits and commands need your approval' },
    { id: 'full-access', name: 'Full access', description: 'Changes files and runs commands without asking' },
    { id: 'plan', name: 'Plan', description: 'Reads and proposes' },
  ],
};

const configOptions = [
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'anthropic/claude-12',
    options: [
      {
        group: 'anthropic',
        name: 'Anthropic',
        options: Array.from({ length: 12 }, (_, index) => ({
          value: `anthropic/claude-${String(index + 1)}`,
          name: `claude-${String(index + 1)}`,
        })),
      },
      {
        group: 'local',
        name: 'On this machine',
        options: [{ value: 'qwen', name: 'Qwen', description: 'Slow' }],
      },
    ],
  },
  {
    type: 'select',
    id: 'thought_level',
    name: 'Thought level',
    category: 'thought_level',
    currentValue: 'high',
    options: [
      { value: 'low', name: 'Low' },
      { value: 'high', name: 'High' },
    ],
  },
  { type: 'boolean', id: 'web', name: 'Web search', description: 'May look things up', currentValue: true },
  { type: 'boolean', id: 'fast', name: 'Fast', category: 'model_config', currentValue: false },
] as const;

const opening: readonly LoggedEntry[] = [
  { type: 'journal-start', key: 'a', agent: 'parley', cwd: '/home/ada/engine', program: 'gallery' },
  {
    type: 'agent-start',
    agent: 'parley',
    protocolVersion: 1,
    capabilities: { promptCapabilities: { image: true } },
  },
  { type: 'session', sessionId: 's', cwd: '/home/ada/engine', origin: 'new' },
  { type: 'session-ready', sessionId: 's', modes, configOptions },
  {
    type: 'update',
    update: {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'review', description: 'Looks at the changes', input: { hint: 'what to look at' } },
        { name: 'compact', description: 'Makes room in the context' },
      ],
    },
  },
];

const turn: readonly LoggedEntry[] = [
  ...opening,
  { type: 'turn-start', sessionId: 's', turnId: 't', prompt: [{ type: 'text', text: 'Rename the store' }] },
];

const queue: HubSession['queue'] = [
  { id: '1', blocks: [{ type: 'text', text: 'Then run the tests, and list the slow ones.' }] },
  {
    id: '2',
    blocks: [
      { type: 'text', text: 'Look at @src/store.ts' },
      { type: 'resource_link', name: 'src/store.ts', uri: 'file:///home/ada/engine/src/store.ts' },
    ],
  },
  { id: '3', blocks: [{ type: 'text', text: '最后写一份总结，说明改了哪些文件以及原因。' }] },
];

function scene(known: Partial<HubSession>, entries: readonly LoggedEntry[] = opening): Scene {
  const session = fakeSession({ key: 'a', ...known });
  return {
    hub: { state: { sessions: new Map([['a', session]]) } },
    show: () => <Bottom session={session} entries={entries} />,
  };
}

function Bottom(props: {
  readonly session: HubSession;
  readonly entries: readonly LoggedEntry[];
}): ReactElement {
  return (
    <div className="session-page" style={{ display: 'grid', alignContent: 'end', height: '100%' }}>
      <PromptBox sessionKey="a" session={props.session} view={viewOf(props.entries)} onTurn={() => {}} />
    </div>
  );
}

function cancelled(step: 'asked' | 'request-cancelled' | 'agent-ended'): LoggedEntry {
  return { type: 'turn-cancel', sessionId: 's', turnId: 't', step };
}

export const scenes: Scenes = {
  ready: scene({}),
  running: scene({ state: 'running', queue }, turn),
  held: scene({ queue, isQueueHeld: true }, [
    ...turn,
    { type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'cancelled' },
  ]),
  asked: scene({ state: 'stopping' }, [...turn, cancelled('asked')]),
  requestCancelled: scene({ state: 'stopping' }, [
    ...turn,
    cancelled('asked'),
    cancelled('request-cancelled'),
  ]),
  agentEnded: scene({ state: 'stopping' }, [
    ...turn,
    cancelled('asked'),
    cancelled('request-cancelled'),
    cancelled('agent-ended'),
  ]),
  trusting: scene({}, [
    ...opening,
    { type: 'update', update: { sessionUpdate: 'current_mode_update', currentModeId: 'full-access' } },
  ]),
  kept: scene({ state: 'kept' }),
  olderModels: scene({}, [
    ...opening.slice(0, 3),
    { type: 'session-ready', sessionId: 's', models: [{ modelId: 'a', name: 'Alpha' }, { modelId: 'b' }] },
  ]),
  elsewhere: scene({ state: 'elsewhere' }),
  observer: { ...scene({}), hub: { state: { isObserver: true, isAdmin: false } } },
};

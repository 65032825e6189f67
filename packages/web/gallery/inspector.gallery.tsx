import type { HubFrame } from '@parley/host/hub';
import { InspectorPage } from '../src/inspector/inspector-page.tsx';
import type { FakeHubOptions } from './fake-hub.ts';
import { fakeSession } from './fake-session.ts';
import type { Scenes } from './scene.ts';

type Sent = readonly [direction: 'in' | 'out', message: object | string, ms?: number];

const key = 'a';
const sessionId = 'sess_01J9ZK7Q4M';

const update = (sent: object): Sent => [
  'in',
  { method: 'session/update', params: { sessionId, update: sent } },
  4,
];

const turn = (id: number): readonly Sent[] => [
  [
    'out',
    {
      id,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: 'Rename the store' }] },
    },
    900,
  ],
  update({
    sessionUpdate: 'agent_thought_chunk',
    content: { type: 'text', text: 'Where is it used? 先看看。' },
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call_1',
    kind: 'edit',
    title: 'Edit store.ts',
    status: 'pending',
  }),
  [
    'in',
    {
      id: 1,
      method: 'session/request_permission',
      params: { sessionId, toolCall: { toolCallId: 'call_1' }, options: [{ optionId: 'y', name: 'Allow' }] },
    },
    3,
  ],
  ['out', { id: 1, result: { outcome: { outcome: 'selected', optionId: 'y' } } }, 5430],
  ['in', { id: 2, method: 'fs/read_text_file', params: { sessionId, path: '/home/ada/engine/store.ts' } }, 2],
  ['out', { id: 2, error: { code: -32002, message: 'the file does not exist' } }, 1],
  ['in', 'malformed (21 bytes) Debugger attached. ok', 30],
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed' }),
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.\nTwo files.' } }),
  ['in', { id, result: { stopReason: 'end_turn' } }, 12],
];

const talk: readonly Sent[] = [
  ['out', { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } }],
  ['in', { id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }, 210],
  ['out', { id: 1, method: 'session/new', params: { cwd: '/home/ada/engine', mcpServers: [] } }, 2],
  ['in', { id: 1, result: { sessionId } }, 48],
  ...turn(2),
  ...turn(3).slice(0, 4),
];

function framesOf(sent: readonly Sent[]): HubFrame[] {
  let time = Date.UTC(2026, 10, 22, 9);
  return sent.map(([direction, message, ms = 0], index) => {
    time += ms;
    const known = { seq: index + 1, time, direction };
    return typeof message === 'string'
      ? { ...known, fault: message }
      : { ...known, message: { jsonrpc: '2.0', ...message } };
  });
}

const state = {
  sessions: new Map([[key, fakeSession({ key, title: 'Rename the store', state: 'running' })]]),
};

const hub: FakeHubOptions = {
  state,
  watchFrames: (_key, onFrames) => {
    onFrames(framesOf(talk));
    return () => {};
  },
};

export const scenes: Scenes = {
  talk: { hub, show: () => <InspectorPage sessionKey={key} /> },
  empty: { hub: { state }, show: () => <InspectorPage sessionKey={key} /> },
  recording: { show: () => <InspectorPage /> },
  many: {
    hub: {
      state,
      watchFrames: (_key, onFrames) => {
        const many = framesOf(Array.from({ length: 9000 }, (_item, index) => turn(index + 2)).flat());
        for (let start = 0; start < many.length; start += 5000) onFrames(many.slice(start, start + 5000));
        let next = many.length;
        const timer = setInterval(() => {
          onFrames(
            framesOf(turn(next)).map((frame) => ({
              ...frame,
              seq: (next += 1),
              time: Date.UTC(2026, 10, 23) + next * 10,
            })),
          );
        }, 50);
        return () => {
          clearInterval(timer);
        };
      },
    },
    show: () => <InspectorPage sessionKey={key} />,
  },
};

import type { LoggedEntry } from '@parley/host/state';
import { type ReactElement, useEffect, useState } from 'react';
import { Conversation } from '../src/conversation/conversation.tsx';
import { SessionProgress } from '../src/conversation/progress/session-progress.tsx';
import { emptyFeed, type SessionFeed } from '../src/hub/session-feed.ts';
import {
  answer,
  call,
  callUpdate,
  end,
  longMessage,
  opening,
  prompt,
  said,
  update,
} from './conversation-events.ts';
import { viewOf } from './fake-hub.ts';
import './gallery.css';
import type { Scene, Scenes } from './scene.ts';

/** A picture of 2 by 2 points. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==';

const whole: readonly LoggedEntry[] = [
  ...opening,
  prompt('t1', 'Rename `Store` to `SessionStore`, and run the tests.\n\nReport anything that looks odd.'),
  update('notice', {
    severity: 'info',
    title: 'Offline model',
    description: 'This is not a language model.',
  }),
  said('agent_thought_chunk', 'First I look **where** the name is used.\n\nThen the tests have to show it.'),
  said('agent_thought_chunk', ' It may be in the docs too.'),
  said('agent_message_chunk', longMessage),
  update('plan', {
    entries: [
      { content: 'Find the uses of Store', priority: 'high', status: 'completed' },
      { content: 'Rename them', priority: 'high', status: 'in_progress' },
      { content: 'Run the tests', priority: 'medium', status: 'pending' },
    ],
  }),
  call('search', { kind: 'search', title: 'Search for `Store`', status: 'in_progress' }),
  callUpdate('search', {
    status: 'completed',
    rawInput: { pattern: 'Store' },
    rawOutput: 'src/store.ts:3\nsrc/a.ts:9',
  }),
  call('read', {
    kind: 'read',
    title: 'Read src/store.ts',
    status: 'completed',
    locations: [{ path: '/home/ada/engine/src/store.ts', line: 3 }],
    content: [
      { type: 'content', content: { type: 'text', text: 'export class Store {\n  #items = new Map();\n}' } },
    ],
  }),
  call('edit', {
    kind: 'edit',
    title: 'Edit store.ts',
    status: 'pending',
    locations: [
      { path: '/home/ada/engine/src/store.ts', line: 3 },
      { path: '/home/ada/engine/src/a.ts', line: 9 },
    ],
    content: [
      {
        type: 'diff',
        path: '/home/ada/engine/src/store.ts',
        oldText: 'import a from "a";\n\nexport class Store {\n  #items = new Map();\n}\n',
        newText: 'import a from "a";\n\nexport class SessionStore {\n  #items = new Map();\n}\n',
      },
    ],
  }),
  {
    type: 'permission-request',
    sessionId: 's',
    requestId: 'p1',
    toolCall: { toolCallId: 'edit' },
    options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
  },
  {
    type: 'permission',
    sessionId: 's',
    requestId: 'p1',
    toolCallId: 'edit',
    options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    decision: 'yes',
    by: 'rule',
    reason: 'edit in src/** is allowed by .parley/config.json',
  },
  callUpdate('edit', { status: 'completed' }),
  {
    type: 'file-write',
    sessionId: 's',
    toolCallId: 'edit',
    path: '/home/ada/engine/src/store.ts',
    before: { kind: 'text', text: '' },
    after: { kind: 'text', text: '' },
  },
  call('test', {
    kind: 'execute',
    title: '`npm test`',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 'x1' }],
  }),
  {
    type: 'terminal-start',
    sessionId: 's',
    terminalId: 'x1',
    toolCallId: 'test',
    command: 'npm test -- --run',
    cwd: '/home/ada/engine',
  },
  {
    type: 'terminal-end',
    sessionId: 's',
    terminalId: 'x1',
    output:
      '\u001B[1mRUN\u001B[0m\n \u001B[32m✓\u001B[39m store (3)\n \u001B[31m✗ a.test.ts\u001B[39m\n   expected 3, got 4\n',
    truncated: true,
    exitCode: 1,
  },
  callUpdate('test', { status: 'failed' }),
  update('compaction_update', {
    compactionId: 'c',
    status: 'completed',
    summary: [{ type: 'text', text: 'So far…' }],
  }),
  update('mood_update', { mood: 'puzzled' }),
  {
    type: 'diagnostic',
    level: 'warning',
    code: 'stdout-noise',
    message: 'a line that is no message was skipped',
  },
  said('agent_message_chunk', 'One test fails: see the picture.'),
  update('agent_message_chunk', { content: { type: 'image', data: picture, mimeType: 'image/png' } }),
  update('usage_update', { used: 48_200, size: 200_000, cost: { amount: 0.0734, currency: 'USD' } }),
  end('t1', { usage: { inputTokens: 12_400, outputTokens: 930 } }),
  prompt('t2', 'Fix it'),
  call('fix', { kind: 'edit', title: 'Edit a.test.ts', status: 'in_progress' }),
  {
    type: 'turn-end',
    sessionId: 's',
    turnId: 't2',
    error: { code: 'agent-exited', message: 'the agent ended with status 1 in the middle of the turn' },
  },
  prompt('t3', 'Go on'),
  { type: 'interruption', turnId: 't3', lostBytes: 12, damagedLines: 0 },
];

const running: readonly LoggedEntry[] = [
  ...opening,
  prompt('t1', 'Run the tests'),
  said('agent_message_chunk', 'I run them now.'),
  call('test', {
    kind: 'execute',
    title: '`npm test`',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 'x1' }],
  }),
  {
    type: 'terminal-start',
    sessionId: 's',
    terminalId: 'x1',
    toolCallId: 'test',
    command: 'npm test',
    cwd: '/home/ada/engine/packages/core',
  },
];

function show(feed: Partial<SessionFeed> & Pick<SessionFeed, 'view'>): ReactElement {
  return (
    <div className="gallery-session">
      <Conversation sessionKey="a" feed={{ ...emptyFeed, isCaughtUp: true, ...feed }} />
      <SessionProgress view={feed.view} isApplication={false} />
    </div>
  );
}

function scene(entries: readonly LoggedEntry[], more: Partial<SessionFeed> = {}): Scene {
  return { show: () => show({ view: viewOf(entries), ...more }) };
}

/** A long answer that comes piece by piece. */
function Streaming(): ReactElement {
  const [length, setLength] = useState(1);
  const text = `${longMessage}\n\n`.repeat(40);
  useEffect(() => {
    const timer = setInterval(() => {
      setLength((before) => before + 40);
    }, 16);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return show({
    view: viewOf([
      ...opening,
      prompt('t1', 'Show me more'),
      said('agent_message_chunk', text.slice(0, length)),
    ]),
  });
}

/** A session of a whole day. */
function manyEvents(count: number): readonly LoggedEntry[] {
  const entries: LoggedEntry[] = [...opening];
  for (let turn = 0; entries.length < count; turn += 1) {
    entries.push(prompt(`t${turn}`, `Prompt ${turn}`));
    for (let index = 0; index < 12; index += 1) {
      entries.push(said('agent_message_chunk', `Part ${index} of **answer** ${turn}. `));
      if (index % 3 !== 0) continue;
      const id = `${turn} ${index}`;
      entries.push(call(id, { kind: 'read', title: `Read file-${turn}-${index}.ts`, status: 'in_progress' }));
      entries.push(callUpdate(id, { status: 'completed', rawOutput: 'ok' }));
    }
    entries.push(answer(turn), end(`t${turn}`));
  }
  return entries;
}

export const scenes: Scenes = {
  whole: scene(whole),
  running: scene(running, { terminals: new Map([['x1', 'RUN  v4\n\u001B[33m… 12 of 80\u001B[39m\n']]) }),
  empty: scene(opening),
  loading: scene(opening, { isCaughtUp: false }),
  streaming: { show: () => <Streaming /> },
  50000: { show: () => show({ view: viewOf(manyEvents(50_000)) }) },
};

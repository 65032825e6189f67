import { PassThrough } from 'node:stream';
import type { SessionUpdate, ToolCallUpdate } from '@parley/acp';
import type { PermissionEvent, PermissionRequestEvent, UpdateEvent } from '@parley/host';
import { beforeEach, expect, test } from 'vitest';
import type { Output } from './output.ts';
import { createStyle } from './style.ts';
import { createTextOutput } from './text.ts';
import { createWriter } from './writer.ts';

let stream = new PassThrough();
let output: Output;
let warnings: string[] = [];

beforeEach(() => {
  stream = new PassThrough();
  warnings = [];
  output = createTextOutput({
    writer: createWriter(stream),
    style: createStyle(false, {}),
    isScreen: false,
    isShared: false,
    warn: (message) => warnings.push(message),
  });
});

function event(view: SessionUpdate): UpdateEvent {
  return { type: 'update', sessionId: 's', update: view, text: undefined, view, late: false, replay: false };
}

const say = (text: string): UpdateEvent =>
  event({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const think = (text: string): UpdateEvent =>
  event({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });

async function shown(...events: UpdateEvent[]): Promise<string> {
  for (const each of events) void output.event(each);
  await output.stop({ exitStatus: 0 });
  return String(stream.read() ?? '');
}

test('chunks of a message are one text, which ends with a newline', async () => {
  expect(await shown(say('Hello, '), say('world.'))).toBe('Hello, world.\n');
});

test('messages with different ids are separate', async () => {
  const chunk = (text: string, messageId: string): UpdateEvent =>
    event({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId });
  expect(await shown(chunk('one', 'a'), chunk(' more', 'a'), chunk('two', 'b'))).toBe('one more\n\ntwo\n');
});

test('thoughts, messages and tool calls are separate', async () => {
  expect(
    await shown(
      think('Let me see.'),
      say('I look.'),
      event({
        sessionUpdate: 'tool_call',
        toolCallId: '1',
        title: 'Search TODO',
        kind: 'search',
        status: 'in_progress',
      }),
      event({
        sessionUpdate: 'tool_call_update',
        toolCallId: '1',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'a.ts:3: TODO' } }],
      }),
      say('Found one.'),
    ),
  ).toBe('Let me see.\n\nI look.\n\n• Search TODO … done\n    a.ts:3: TODO\n\nFound one.\n');
});

test('a tool call that ends after other output is named again', async () => {
  expect(
    await shown(
      event({
        sessionUpdate: 'tool_call',
        toolCallId: '1',
        title: 'Build',
        kind: 'execute',
        status: 'in_progress',
      }),
      event({
        sessionUpdate: 'tool_call',
        toolCallId: '2',
        title: 'Lint',
        kind: 'execute',
        status: 'in_progress',
      }),
      event({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed' }),
      event({ sessionUpdate: 'tool_call_update', toolCallId: '2', status: 'completed' }),
    ),
  ).toBe('• Build\n• Lint\n• Build … failed\n• Lint … done\n');
});

test('a file change is shown as a short diff', async () => {
  expect(
    await shown(
      event({
        sessionUpdate: 'tool_call',
        toolCallId: '1',
        title: 'Write a.txt',
        kind: 'edit',
        status: 'pending',
      }),
      event({
        sessionUpdate: 'tool_call_update',
        toolCallId: '1',
        status: 'completed',
        content: [{ type: 'diff', path: '/w/a.txt', oldText: 'one\ntwo\n', newText: 'one\n2\n' }],
      }),
    ),
  ).toBe('• Write a.txt … done\n    /w/a.txt\n      one\n    - two\n    + 2\n');
});

test("a long result shows its beginning, a command's output its end", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${String(index + 1)}`).join('\n');
  const text = await shown(
    event({
      sessionUpdate: 'tool_call',
      toolCallId: '1',
      title: 'Run',
      kind: 'execute',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: lines } }],
    }),
  );
  expect(text).toContain('    … 18 more lines\n    line 19\n');
  expect(text).toContain('    line 30\n');
});

test('a permission and its reason are shown below the tool call', async () => {
  void output.event(
    event({
      sessionUpdate: 'tool_call',
      toolCallId: '1',
      title: 'Write a.txt',
      kind: 'edit',
      status: 'pending',
    }),
  );
  void output.event({
    type: 'permission',
    sessionId: 's',
    requestId: 'r',
    toolCallId: '1',
    options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    decision: 'yes',
    by: 'flag',
    reason: 'the approval level "edits" covers edit',
  });
  expect(await shown()).toBe('• Write a.txt\n  allowed, the approval level "edits" covers edit\n');
});

const asked = (toolCall: ToolCallUpdate): PermissionRequestEvent => ({
  type: 'permission-request',
  sessionId: 's',
  requestId: 'r',
  toolCall,
  options: [],
});
const refused: PermissionEvent = {
  type: 'permission',
  sessionId: 's',
  requestId: 'r',
  toolCallId: '1',
  options: [],
  decision: 'cancelled',
  by: 'nobody',
  reason: 'no user to ask',
};

test('a tool call that was not announced is named in its permission request, and its end is shown', async () => {
  const diff = { type: 'diff', path: '/w/b.txt', oldText: 'two', newText: '2' } as const;
  void output.event(asked({ toolCallId: '1', title: 'b.txt: two => 2', kind: 'edit', content: [diff] }));
  void output.event(refused);
  expect(await shown(event({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed' }))).toBe(
    [
      '• b.txt: two => 2',
      '  not allowed, no user to ask',
      '• b.txt: two => 2 … failed',
      '    /w/b.txt',
      '    - two',
      '    + 2\n',
    ].join('\n'),
  );
});

test('a tool call of which only the end is reported is shown once', async () => {
  const end = event({
    sessionUpdate: 'tool_call_update',
    toolCallId: '1',
    status: 'failed',
    kind: 'read',
    content: [{ type: 'content', content: { type: 'text', text: 'not in the workspace' } }],
  });
  expect(await shown(say('I read.'), end, end, say('Done.'))).toBe(
    'I read.\n\n• read … failed\n    not in the workspace\n\nDone.\n',
  );
});

test('a tool call with incomplete input is shown once its title is complete', async () => {
  const announced = event({
    sessionUpdate: 'tool_call',
    toolCallId: '1',
    title: 'Shell',
    kind: 'execute',
    status: 'pending',
    rawInput: {},
    content: [],
    locations: [],
  });
  const sent = event({
    sessionUpdate: 'tool_call_update',
    toolCallId: '1',
    title: 'Shell: ls',
    status: 'in_progress',
    rawInput: { command: 'ls' },
  });
  const end = event({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' });
  expect(await shown(announced, sent, end)).toBe('• Shell: ls … done\n');
  void output.event(announced);
  void output.event(asked({ toolCallId: '1', title: 'Shell: rm', rawInput: { command: 'rm' } }));
  void output.event(refused);
  expect(await shown()).toBe('• Shell: rm\n  not allowed, no user to ask\n');
});

test('a tool call that is renamed at its end has a line with the new name', async () => {
  const call = { toolCallId: '1', kind: 'read' } as const;
  expect(
    await shown(
      event({ sessionUpdate: 'tool_call', ...call, title: 'Read', status: 'in_progress' }),
      event({ sessionUpdate: 'tool_call_update', ...call, title: 'Read a.txt', status: 'completed' }),
    ),
  ).toBe('• Read\n• Read a.txt … done\n');
});

test('no agent output can control the terminal', async () => {
  const text = await shown(
    say('\u001b]0;owned\u0007\u001b[2Jhi\r'),
    event({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'Run \u001b[1A\nrm', status: 'completed' }),
  );
  expect(text).toBe('hi\n\n• Run ⟨U+001B⟩[1A rm … done\n');
});

test('a plan is shown once, then only its changes', async () => {
  const plan = (status: 'pending' | 'completed'): UpdateEvent =>
    event({
      sessionUpdate: 'plan',
      entries: [
        { content: 'first', priority: 'high', status },
        { content: 'second', priority: 'low', status: 'pending' },
      ],
    });
  expect(await shown(plan('pending'), plan('pending'), plan('completed'))).toBe(
    'Plan:\n  [ ] first\n  [ ] second\nPlan:\n  [x] first\n',
  );
});

test('a replayed history is not shown, a warning goes to standard error', async () => {
  void output.event({ ...say('old words'), replay: true });
  void output.event({
    type: 'diagnostic',
    level: 'warning',
    code: 'stdout-noise',
    message: 'a line is no message',
  });
  void output.event({ type: 'diagnostic', level: 'info', code: 'late-update', message: 'late' });
  expect(await shown()).toBe('');
  expect(warnings).toEqual(['stdout-noise: a line is no message']);
});

test('a compaction is shown without its summary', async () => {
  const compactionId = 'c';
  expect(
    await shown(
      event({ sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' }),
      event({
        sessionUpdate: 'compaction_summary_chunk',
        compactionId,
        content: { type: 'text', text: 'the gist' },
      }),
      event({ sessionUpdate: 'compaction_update', compactionId, status: 'completed' }),
      event({ sessionUpdate: 'compaction_update', compactionId, status: 'failed', error: 'no answer' }),
    ),
  ).toBe(
    [
      'compaction of the conversation: in progress\n',
      'compaction of the conversation: completed\n',
      'compaction of the conversation: failed: no answer\n',
    ].join(''),
  );
});

test('the output of a command that the agent runs itself is shown when it ends', async () => {
  const call = { toolCallId: '1', title: 'ls', kind: 'execute' } as const;
  const write = (data: string): UpdateEvent =>
    event({
      sessionUpdate: 'tool_call_update',
      toolCallId: '1',
      _meta: { terminal_output_delta: { terminal_id: '1', data } },
    });
  expect(
    await shown(
      event({ sessionUpdate: 'tool_call', ...call, content: [{ type: 'terminal', terminalId: '1' }] }),
      write('one\ntw'),
      write('o\n'),
      event({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' }),
    ),
  ).toBe('• ls … done\n    one\n    two\n');
});

test('leading empty lines of a message are not shown', async () => {
  expect(await shown(say('One.'), think('\n\n'), think('two\n\nthree'))).toBe('One.\n\ntwo\n\nthree\n');
});

test('a raw tool result is shown', async () => {
  const rawOutput = { result: { content: [{ type: 'text', text: 'Echo: ping' }] }, error: null };
  expect(
    await shown(
      event({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'echo', status: 'in_progress' }),
      event({ sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed', rawOutput }),
    ),
  ).toBe('• echo … done\n    Echo: ping\n');
});

test('a warning begins on a line of its own where both streams are the same', async () => {
  output = createTextOutput({
    writer: createWriter(stream),
    style: createStyle(false, {}),
    isScreen: false,
    isShared: true,
    warn: (message) => void stream.write(`parley: ${message}\n`),
  });
  const subagent = { sessionUpdate: 'subagent_update', sessionId: 'kid', title: 'Look' } as const;
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'Explore: Look',
    rawInput: 'x',
  } as const;
  expect(await shown(event(call), event({ ...subagent, state: { state: 'running' } }))).toBe(
    '• Explore: Look\nparley: sub-agent "Look" was announced\n',
  );
});

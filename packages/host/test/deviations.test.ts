import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestPermissionRequest } from '@parley/acp';
import type { ObservedFrame } from '@parley/wire';
import { expect, test } from 'vitest';
import {
  filesStore,
  openAgent,
  openSession,
  toLoggedEntry,
  type LoggedEntry,
  type LoggedEvent,
  type PermissionAnswer,
} from '../src/index.ts';
import { emptyState, reduce, values } from '../src/state/index.ts';
import {
  approve,
  codes,
  fixture,
  folder,
  folders,
  isAlive,
  isPosix,
  only,
  open,
  phases,
  script,
  texts,
  type Step,
} from './harness.ts';
import { superviseMortal, toPrompt } from './mortal-agent.ts';
import { connectRaw } from './raw-agent.ts';
import { writeEventLogs } from './write-event-logs.ts';

// What a widespread client does otherwise than the protocol wants it (S), or than its users need it (C). Each test is
// named after one of these deviations and says what is right.

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

const ask = (toolCallId: string, more: object = {}): Step => ({
  request: 'session/request_permission',
  params: { sessionId: '$SESSION', toolCall: { toolCallId, ...more }, options },
});
const read = (path: string, more: object = {}): Step => ({
  request: 'fs/read_text_file',
  params: { sessionId: '$SESSION', path, ...more },
});
const write = (path: string, content = 'new'): Step => ({
  request: 'fs/write_text_file',
  params: { sessionId: '$SESSION', path, content },
});

/** What is sent to the agent. */
function listen(): { readonly sent: object[]; readonly observe: (frame: ObservedFrame) => void } {
  const sent: object[] = [];
  const observe = ({ direction, message }: ObservedFrame): void => {
    if (direction === 'out' && typeof message === 'object' && message !== null) sent.push(message);
  };
  return { sent, observe };
}

/** The capabilities that the client declares. */
async function declared(): Promise<object> {
  const { sent, observe } = listen();
  await script({ observe });
  const [initialize] = sent;
  return (initialize as { readonly params: { readonly clientCapabilities: object } }).params
    .clientCapabilities;
}

test.each(['runShellCommand', '_vendor/run_shell_command'])(
  'S1: there is no request %s for a shell beside the terminals',
  async (method) => {
    const { play, answers } = await script({ policy: approve('all') });
    await play({ request: method, params: { sessionId: '$SESSION', command: 'true' } });
    expect(answers()).toMatchObject([{ error: { code: -32601 } }]);
  },
);

test('S2: the client declares only capabilities of the protocol', async () => {
  const inProtocol = ['_meta', 'auth', 'elicitation', 'fs', 'session', 'subagents', 'terminal'];
  expect(inProtocol).toEqual(expect.arrayContaining(Object.keys(await declared())));
});

test('S3: a relative path is rejected as invalid, with the path, and nothing is read or written', async () => {
  const { play, answers, cwd } = await script({ policy: approve('all') });
  await play(read('a'), write('a'), write('~/a'));
  expect(answers()).toEqual(
    Array(3).fill({
      error: expect.objectContaining({ code: -32602, message: expect.stringMatching(/got "(~\/)?a"/) }),
    }),
  );
  expect(await readdir(cwd)).toEqual([]);
});

test.runIf(isPosix)(
  "S4: nothing outside of the session's directories is written, by no name it has",
  async () => {
    const { inside, outside } = await folders();
    await symlink(outside, join(inside, 'link'));
    await symlink(join(outside, 'not-there'), join(inside, 'dangling'));
    const { play, answers } = await script({ policy: approve('all'), session: { cwd: inside } });
    const ways = [
      join(outside, 'a'),
      join(inside, 'link', 'a'),
      join(inside, 'dangling'),
      `${inside}/../outside/a`,
      `${inside}-2/a`,
    ];
    await play(...ways.map((path) => write(path)));
    expect(answers()).toMatchObject(
      ways.map(() => ({ error: { code: -32602, data: { reason: 'outside' } } })),
    );
    expect(await readdir(outside)).toEqual([]);
  },
);

test.runIf(isPosix)('S5: an agent is started without a shell: its arguments arrive as they are', async () => {
  const directory = await folder();
  const { command, args } = fixture('scripted', { stderr: '$HOME `id` "\'; touch made\n' });
  const written: string[] = [];
  await using agent = await openAgent({
    command,
    args,
    cwd: directory,
    clientInfo: { name: 'test', version: '1.0.0' },
    policy: approve('reads'),
    onEvent: (event) => {
      if (event.type === 'stderr') written.push(event.text);
    },
  });
  await agent.end();
  expect(written.join('')).toBe('$HOME `id` "\'; touch made\n');
  expect(await readdir(directory)).toEqual([]);
});

test.runIf(isPosix)(
  'S6: commands are terminals: seen while they run, cut at a character, killed and released',
  async () => {
    const { play, answers } = await script({ policy: approve('all') });
    const terminal = (method: string): Step => ({
      request: `terminal/${method}`,
      params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } },
    });
    const program = `process.stdout.write('x€'.repeat(10)); setInterval(() => {}, 1000)`;
    const params = {
      sessionId: '$SESSION',
      command: process.execPath,
      args: ['-e', program],
      outputByteLimit: 6,
    };
    await play(
      { request: 'terminal/create', params, save: 'terminalId' },
      terminal('output'),
      terminal('kill'),
      terminal('wait_for_exit'),
      terminal('output'),
      terminal('release'),
      terminal('output'),
    );
    const [created, running, killed, exit, output, released, gone] = answers();
    expect([created, killed, released]).toMatchObject([{ result: {} }, { result: {} }, { result: {} }]);
    expect(running).not.toHaveProperty('result.exitStatus');
    expect(exit).toMatchObject({ result: { signal: expect.stringMatching(/^SIG(TERM|KILL)$/) } });
    expect(output).toMatchObject({ result: { exitStatus: expect.anything() } });
    const { result } = output as { readonly result: { readonly output: string } };
    expect(['', 'x€']).toContain(result.output);
    expect(gone).toMatchObject({ error: { code: -32002 } });
  },
);

test('S7: an aborted request is cancelled on the wire', async () => {
  const { sent, observe } = listen();
  const { connection } = await open('scripted', { start: { newSession: 'never' }, observe });
  const controller = new AbortController();
  const opening = openSession(connection, { cwd: await folder(), signal: controller.signal });
  await expect.poll(() => sent).toContainEqual(expect.objectContaining({ method: 'session/new' }));
  controller.abort();
  await expect(opening).rejects.toMatchObject({ code: 'aborted' });
  expect(sent).toContainEqual(expect.objectContaining({ method: '$/cancel_request' }));
});

test('S8: an agent that lacks a method keeps working in the next turn', async () => {
  const { play, session } = await script({
    start: {
      newSession: { models: { availableModels: [{ modelId: 'a' }] } },
      missing: ['session/set_model'],
    },
  });
  await expect(session.setModel('a')).rejects.toMatchObject({ code: -32601 });
  await expect(play()).resolves.toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
});

test('S9: the trace context of a prompt is sent to the agent', async () => {
  const { sent, observe } = listen();
  const { session } = await script({ observe });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await session.prompt([{ type: 'text', text: '[]' }], { trace: { traceparent, baggage: 'user=1' } });
  expect(sent.at(-1)).toMatchObject({
    method: 'session/prompt',
    params: { _meta: { traceparent, baggage: 'user=1' } },
  });
});

test('S9: without a trace context, each session starts its own trace', async () => {
  const { connection, events, received } = await connectRaw({
    'session/prompt': () => ({ stopReason: 'end_turn' }),
  });
  const session = await openSession(connection, { cwd: await folder() });
  await session.prompt([{ type: 'text', text: 'one' }]);
  await session.prompt([{ type: 'text', text: 'two' }]);

  const parents = received.slice(1).map(({ params }) => traceparentIn(params));
  const parts = parents.map((parent) => /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(parent) ?? []);
  expect(new Set(parts.map(([, traceId]) => traceId)).size).toBe(1);
  expect(new Set(parts.map(([, , parentId]) => parentId)).size).toBe(3);
  expect(only(events, 'turn-start').map(({ traceparent }) => traceparent)).toEqual(parents.slice(1));
});

test('C1: a cancel answers each open question, and no question follows it', async () => {
  let asked = 0;
  const { play, session, answers, events } = await script({
    policy: approve('ask'),
    interact: {
      permission: () => {
        asked += 1;
        if (asked === 2) void session.cancel();
        return new Promise(() => {});
      },
    },
  });
  await play({ parallel: [ask('a'), ask('b')] }, ask('c'), { stop: 'cancelled' });
  expect(answers()).toEqual(Array(3).fill({ result: { outcome: { outcome: 'cancelled' } } }));
  expect(asked).toBe(2);
  // The third request came from the agent, not from a turn: it is emitted too.
  expect(only(events, 'permission').map(({ decision }) => decision)).toEqual(Array(3).fill('cancelled'));
});

test('C2: an aborted turn is cancelled on the wire, and ends once', async () => {
  const { sent, observe } = listen();
  const { session, events, event } = await script({ observe });
  const controller = new AbortController();
  const steps = [{ say: '1' }, { waitForCancel: true }, { stop: 'cancelled' }];
  const turn = session.prompt([{ type: 'text', text: JSON.stringify(steps) }], { signal: controller.signal });
  await event('update');
  controller.abort();
  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  expect(sent).toContainEqual(expect.objectContaining({ method: 'session/cancel' }));
  expect(only(events, 'turn-end')).toHaveLength(1);
});

test('C3: a session waits for the user while any question is open', async () => {
  const waiting = new Map<string, (answer: PermissionAnswer) => void>();
  const { agent, events, next } = await superviseMortal({
    policy: approve('ask'),
    interact: {
      permission: ({ sessionId }) => new Promise((resolve) => waiting.set(sessionId, resolve)),
    },
  });
  const cwd = await folder();
  const [first, second] = [await agent.openSession({ cwd }), await agent.openSession({ cwd })];
  const turns = [first.prompt(toPrompt('ask')), second.prompt(toPrompt('ask'))];
  await expect.poll(() => waiting.size).toBe(2);
  const answered = next(({ type }) => type === 'turn-end');
  waiting.get(first.id)?.({ kind: 'option', optionId: 'yes' });
  await answered;
  expect(phases(events, second.id).at(-1)).toBe('waiting');
  waiting.get(second.id)?.({ kind: 'option', optionId: 'yes' });
  await Promise.all(turns);
});

test('C4: turns are independent: a cancel stops only its own turn', async () => {
  const { connection, play, session } = await script();
  const other = await openSession(connection, { cwd: await folder() });
  const text = JSON.stringify([{ waitForCancel: true }, { stop: 'cancelled' }]);
  const stopped = other.prompt([{ type: 'text', text }]);
  const steps = play({ waitForCancel: true }, { stop: 'end_turn' });
  await other.cancel();
  await expect(stopped).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  await session.cancel();
  await expect(steps).resolves.toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
});

test('C5: a question belongs to the session that it names', async () => {
  const { connection, events, session } = await script();
  const other = await openSession(connection, { cwd: await folder() });
  await other.prompt([{ type: 'text', text: JSON.stringify([ask('a')]) }]);
  expect(only(events, 'permission')).toMatchObject([{ sessionId: other.id }]);
  expect(other.id).not.toBe(session.id);
});

test('C6: a permission request shows the kind, input, content and locations of the call', async () => {
  const shown: RequestPermissionRequest[] = [];
  const { play, cwd } = await script({
    policy: approve('ask'),
    interact: {
      permission: (request) => {
        shown.push(request);
        return Promise.resolve({ kind: 'option', optionId: 'no' });
      },
    },
  });
  const path = join(cwd, 'a');
  const call = { kind: 'edit', rawInput: { path }, locations: [{ path }] };
  const content = [{ type: 'diff', path, oldText: 'a', newText: 'b' }];
  await play(
    { update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Edit', ...call } },
    ask('a', { content }),
  );
  expect(shown).toMatchObject([{ toolCall: { title: 'Edit', ...call, content }, options }]);
});

test('C7: a crash settles open requests, and the session continues under its id', async () => {
  const { agent, events, requests } = await superviseMortal({
    capabilities: { sessionCapabilities: { resume: {} } },
  });
  const session = await agent.openSession({ cwd: await folder() });
  const { id } = session;
  await expect(session.prompt(toPrompt('die'))).rejects.toMatchObject({ code: 'agent-exited' });
  await expect(session.prompt(toPrompt('say again'))).resolves.toMatchObject({ stopReason: 'end_turn' });
  expect(session.id).toBe(id);
  // What was in flight is not sent again by itself.
  expect(requests).toEqual(['session/new', 'prompt die', 'session/resume', 'prompt say again']);
  expect(only(events, 'turn-end')[0]).toMatchObject({ unknownOutcome: ['call-1'] });
});

test.runIf(isPosix)('C8: the end of an agent ends all processes that it started', async () => {
  const { connection, event } = await script({ start: { grandchild: true, ignoreTerm: true } });
  const { text } = await event('stderr');
  await connection.end();
  expect(isAlive(Number(text.replace('grandchild ', '')))).toBe(false);
});

test.runIf(isPosix)(
  'C9: files are read by lines, missing ones are reported as missing, and written ones keep their mode',
  async () => {
    const { play, answers, cwd } = await script({ policy: approve('edits') });
    const file = join(cwd, 'a.sh');
    await writeFile(file, 'one\ntwo\nthree\n', { mode: 0o750 });
    await play(
      read(file, { line: 2, limit: 1 }),
      read(join(cwd, 'b')),
      write(file),
      write(join(cwd, 'c', 'd')),
    );
    expect(answers()).toMatchObject([
      { result: { content: 'two\n' } },
      { error: { code: -32002 } },
      { result: {} },
      { result: {} },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o750);
    expect(await readdir(cwd)).toEqual(['a.sh', 'c']);
  },
);

test('C10: an unknown request is rejected, an unknown notification is ignored', async () => {
  const { play, answers, events } = await script();
  const line = JSON.stringify({ jsonrpc: '2.0', method: '_vendor/event', params: {} });
  await play({ stdout: `${line}\n` }, { request: '_vendor/ask', params: {} });
  expect(answers()).toMatchObject([{ error: { code: -32601 } }]);
  expect(codes(events)).toEqual(['ignored-notification']);
});

test('C11: each update is emitted: diffs, terminals, locations, titles, modes, usage, and unknown variants', async () => {
  const { play, events } = await script();
  const content = [
    { type: 'diff', path: '/a', newText: 'b' },
    { type: 'terminal', terminalId: 't' },
  ];
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'a',
    title: 'Edit',
    content,
    locations: [{ path: '/a' }],
  };
  const updates = [
    call,
    { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
    { sessionUpdate: 'session_info_update', title: 'A title' },
    { sessionUpdate: 'usage_update', used: 10, size: 100 },
    { sessionUpdate: 'hologram', depth: 3 },
  ];
  await play(...updates.map((update) => ({ update })));
  expect(only(events, 'update').map(({ update }) => update)).toEqual(updates);
  const entries = events.map(toLoggedEntry).filter((entry) => entry !== undefined);
  const view = entries.map(stamp).reduce(reduce, emptyState);
  const shown = new Map([...values(view.items)].map((item) => [item.kind, item]));
  expect(shown.get('tool-call')).toMatchObject({
    call: { title: 'Edit', content, locations: [{ path: '/a' }] },
  });
  expect(shown.get('unknown')).toMatchObject({ raw: { sessionUpdate: 'hologram', depth: 3 } });
  expect(view).toMatchObject({ title: 'A title', usage: { context: { used: 10, size: 100 } } });
});

test('C12: context size and token counts are kept apart', () => {
  const usage = { inputTokens: 5, outputTokens: 2 };
  const update = { sessionUpdate: 'usage_update', used: 10, size: 100 };
  const turn = (turnId: string): readonly LoggedEntry[] => [
    { type: 'turn-start', sessionId: 's', turnId, prompt: [] },
    { type: 'update', update },
    { type: 'turn-end', sessionId: 's', turnId, stopReason: 'end_turn', usage },
  ];

  const view = [...turn('1'), ...turn('2')].map(stamp).reduce(reduce, emptyState);

  expect(view.usage).toMatchObject({
    context: { used: 10, size: 100 },
    tokens: { inputTokens: 10, outputTokens: 4 },
  });
});

/** An entry as an event log keeps it. */
function stamp(entry: LoggedEntry, index: number): LoggedEvent {
  return { ...entry, seq: index + 1, time: index };
}

test('C13: updates that are replayed while a session is loaded are marked, new ones are not', async () => {
  const { play, events } = await script({
    start: { capabilities: { loadSession: true } },
    session: { resume: { sessionId: 'kept' } },
  });
  await play({ say: 'new' });
  expect(texts(events)).toEqual(['replayed', 'new']);
  expect(only(events, 'update').map(({ replay }) => replay)).toEqual([true, false]);
});

test('C14: another protocol version is rejected, and a sign-in error lists the methods', async () => {
  await expect(open('scripted', { start: { initialize: { protocolVersion: 3 } } })).rejects.toMatchObject({
    code: 'unsupported-version',
  });
  const authMethods = [{ id: 'login', name: 'Log in' }];
  const start = { initialize: { authMethods }, newSessionError: { code: -32000, message: 'Sign in' } };
  const { connection } = await open('scripted', { start });
  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({
    code: 'auth-required',
    authMethods,
  });
});

test('C15: images and remote MCP servers are not sent to an agent that does not support them', async () => {
  const { sent, observe } = listen();
  const { session, connection } = await script({ observe });
  const server = { type: 'http', name: 'remote', url: 'https://example.com/mcp', headers: [] } as const;
  const before = sent.length;
  await expect(session.prompt([{ type: 'image', mimeType: 'image/png', data: '' }])).rejects.toMatchObject({
    code: 'not-supported',
  });
  await expect(openSession(connection, { cwd: await folder(), mcpServers: [server] })).rejects.toMatchObject({
    code: 'not-supported',
  });
  expect(sent).toHaveLength(before);
});

// There is no window here whose channels could be too many; what is left of it is text that reaches a shell.
test.runIf(isPosix)('C16: a command name is not parsed by a shell', async () => {
  const directory = await folder();
  const starting = open('scripted', { command: 'which agent; touch made', args: [], cwd: directory });
  await expect(starting).rejects.toMatchObject({ code: 'start-failed' });
  expect(await readdir(directory)).toEqual([]);
});

test.runIf(isPosix)(
  'C17: variables and what an agent writes to standard error are not kept, and only their owner reads what is',
  async () => {
    const directory = await folder();
    const keeper = writeEventLogs({
      store: filesStore(directory),
      program: 'test',
      onFailure: (error) => {
        throw error;
      },
    });
    const { play, connection } = await script({
      env: { SECRET_KEY: 'sesame-1' },
      start: { stderr: 'key: sesame-2\n' },
      onEvent: (event) => keeper.take(event),
    });
    await play({ say: 'hello' });
    await connection.end();
    await keeper.close();
    const names = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    const kept = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(kept.join('')).toContain('hello');
    expect(kept.join('')).not.toContain('sesame');
    for (const file of files) expect((await stat(file)).mode & 0o077).toBe(0);
  },
);

test('C18: ids never collide, and stored events are not written again', async () => {
  const directory = await folder();
  const keeper = writeEventLogs({
    store: filesStore(directory),
    program: 'test',
    onFailure: (error) => {
      throw error;
    },
  });
  const { play, events, connection } = await script({ onEvent: (event) => keeper.take(event) });
  await play({ parallel: Array.from({ length: 200 }, (_, index) => ask(`call-${index}`)) });
  await play({ say: 'more' });
  await connection.end();
  await keeper.close();
  const ids = only(events, 'permission').map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(200);
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    names
      .filter((each) => each.isFile())
      .map(async (each) => (await stat(join(each.parentPath, each.name))).size),
  );
  const emittedLength = JSON.stringify(events).length;
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3 * emittedLength);
});

function traceparentIn(params: unknown): string {
  const meta: unknown =
    typeof params === 'object' && params !== null && '_meta' in params ? params._meta : {};
  const held = typeof meta === 'object' && meta !== null && 'traceparent' in meta ? meta.traceparent : '';
  return String(held);
}

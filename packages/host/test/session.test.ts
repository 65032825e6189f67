import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openSession } from '../src/index.ts';
import { approve, codes, folder, only, open, script, texts } from './harness.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

test('a full turn has a permission, a client file write, a terminal and a response', async () => {
  const { play, answers, events, session, cwd, connection } = await script({ policy: approve('all') });
  const file = join(cwd, 'notes', 'a.txt');

  const result = await play(
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'edit-1',
        title: 'Edit',
        kind: 'edit',
        status: 'pending',
      },
    },
    {
      request: 'session/request_permission',
      params: {
        sessionId: '$SESSION',
        toolCall: { toolCallId: 'edit-1', content: [{ type: 'diff', path: file, newText: 'hello\n' }] },
        options,
      },
    },
    { request: 'fs/write_text_file', params: { sessionId: '$SESSION', path: file, content: 'hello\n' } },
    {
      request: 'terminal/create',
      params: { sessionId: '$SESSION', command: process.execPath, args: ['-p', '6 * 7'] },
      save: 'terminalId',
    },
    { request: 'terminal/wait_for_exit', params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } } },
    { request: 'terminal/output', params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } } },
    { request: 'terminal/release', params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } } },
    { request: 'terminal/output', params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } } },
  );

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(connection.info).toMatchObject({ name: 'scripted', version: '1.2.3' });
  expect(await readFile(file, 'utf8')).toBe('hello\n');
  expect(answers()).toMatchObject([
    { result: { outcome: { outcome: 'selected', optionId: 'yes' } } },
    { result: {} },
    { result: { terminalId: expect.any(String) } },
    { result: { exitCode: 0 } },
    { result: { output: '42\n', truncated: false, exitStatus: { exitCode: 0 } } },
    { result: {} },
    { error: { code: -32002 } },
  ]);
  // The write was granted with the call; the command was not, and has its own decision.
  expect(only(events, 'permission')).toMatchObject([
    { toolCallId: 'edit-1', decision: 'yes', by: 'flag', sessionId: session.id },
    { decision: 'allow', by: 'flag', sessionId: session.id },
  ]);
  expect(events[3]).toEqual({ type: 'session', sessionId: session.id, cwd, origin: 'new' });
});

test('updates are passed on unchanged, including unknown kinds', async () => {
  const { play, events } = await script();
  const known = {
    sessionUpdate: 'plan',
    entries: [{ content: 'a', priority: 'high', status: 'pending', extra: 1 }],
  };
  const unknown = { sessionUpdate: 'hologram', depth: 3 };

  await play({ update: known }, { update: unknown });

  expect(only(events, 'update')).toMatchObject([
    { update: known, view: { sessionUpdate: 'plan' }, late: false, replay: false },
    { update: unknown, view: { sessionUpdate: 'unknown', raw: unknown } },
  ]);
  expect(codes(events)).toEqual(['unknown-variant']);
});

test('an update after the response to its prompt is emitted as late', async () => {
  const { play, events, event } = await script();

  await play({ say: '1' }, { after: [{ say: '2' }, { stderr: 'done\n' }] });
  await event('stderr');

  expect(only(events, 'update').map((update) => update.late)).toEqual([false, true]);
  expect(codes(events)).toEqual(['late-update']);
});

test('an update before the response to session/new is emitted after the session', async () => {
  const early = { sessionUpdate: 'available_commands_update', availableCommands: [] };
  const { events, session, play } = await script({ start: { early } });

  await play();

  expect(events.slice(3, 6)).toMatchObject([
    { type: 'session', sessionId: session.id },
    { type: 'session-ready', sessionId: session.id },
    { type: 'update', update: early, late: false },
  ]);
  expect(codes(events)).toEqual([]);
});

test('a request right after the response to session/new is served', async () => {
  const request = { sessionId: '$SESSION', path: fileURLToPath(import.meta.url), limit: 1 };
  const { event, answers } = await script({
    start: { afterNew: [{ request: 'fs/read_text_file', params: request }] },
    session: { cwd: fileURLToPath(new URL('.', import.meta.url)) },
  });

  await event('update');

  expect(answers()).toMatchObject([{ result: { content: expect.stringContaining('import') } }]);
});

test('an agent that can resume continues a session without its history', async () => {
  const { session, events } = await script({
    start: { capabilities: { loadSession: true, sessionCapabilities: { resume: {} } } },
    session: { resume: { sessionId: 'kept' } },
  });

  expect(session.id).toBe('kept');
  expect(only(events, 'session')).toMatchObject([{ sessionId: 'kept', origin: 'resumed' }]);
  expect(texts(events)).toEqual([]);
});

test('an agent that can only load replays the history', async () => {
  const { play, events } = await script({
    start: { capabilities: { loadSession: true } },
    session: { resume: { sessionId: 'kept' } },
  });

  await play({ say: 'new' });

  expect(only(events, 'session')).toMatchObject([{ sessionId: 'kept', origin: 'loaded' }]);
  expect(only(events, 'update')).toMatchObject([
    { replay: true, late: false },
    { replay: false, late: false },
  ]);
});

test('a session can be open only once', async () => {
  const { connection, session } = await script({ start: { capabilities: { loadSession: true } } });

  await expect(
    openSession(connection, { cwd: await folder(), resume: { sessionId: session.id } }),
  ).rejects.toMatchObject({ code: 'already-open' });
});

test('an agent that stores no sessions cannot resume one', async () => {
  const { connection, events } = await open('scripted');

  const opening = openSession(connection, { cwd: await folder(), resume: { sessionId: 'kept' } });

  await expect(opening).rejects.toMatchObject({ name: 'HostError', code: 'not-supported' });
  expect(only(events, 'session')).toEqual([]);
});

test('additional directories and remote MCP servers are rejected if the agent does not support them', async () => {
  const { connection } = await open('scripted');
  const cwd = await folder();
  const server = { type: 'http', name: 'remote', url: 'https://example.com/mcp', headers: [] } as const;

  await expect(openSession(connection, { cwd, additionalDirectories: [cwd] })).rejects.toMatchObject({
    code: 'not-supported',
  });
  await expect(openSession(connection, { cwd, mcpServers: [server] })).rejects.toMatchObject({
    code: 'not-supported',
  });
});

test('a session in a missing directory is rejected', async () => {
  const { connection } = await open('scripted');

  await expect(openSession(connection, { cwd: join(await folder(), 'gone') })).rejects.toMatchObject({
    code: 'invalid-directory',
  });
});

test('an agent that requires sign-in lists its methods', async () => {
  const authMethods = [{ id: 'login', name: 'Log in' }];
  const { connection } = await open('scripted', {
    start: {
      initialize: { authMethods },
      newSessionError: { code: -32000, message: 'Authentication required' },
    },
  });

  await expect(openSession(connection, { cwd: await folder() })).rejects.toMatchObject({
    code: 'auth-required',
    authMethods,
  });
});

test('an error of the agent is passed on', async () => {
  const { play } = await script();

  await expect(
    play({ error: { code: -32603, message: 'no model', data: { key: 1 } } }),
  ).rejects.toMatchObject({
    name: 'RpcError',
    code: -32603,
    data: { key: 1 },
  });
});

test('a session runs one turn at a time', async () => {
  const { play, session } = await script();
  const first = play({ waitForCancel: true }, { stop: 'cancelled' });

  await expect(play()).rejects.toMatchObject({ code: 'turn-running' });
  await session.cancel();

  await expect(first).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  await expect(play()).resolves.toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
});

test('two sessions of one agent have separate files, questions and updates', async () => {
  const { connection, events, play, cwd } = await script();
  const other = await openSession(connection, { cwd: await folder() });
  await writeFile(join(cwd, 'mine'), 'mine');

  await play();
  await other.prompt([
    {
      type: 'text',
      text: JSON.stringify([
        { request: 'fs/read_text_file', params: { sessionId: '$SESSION', path: join(cwd, 'mine') } },
      ]),
    },
  ]);

  expect(texts(events)).toMatchObject([expect.stringContaining('"error"')]);
  expect(only(events, 'update')).toMatchObject([{ sessionId: other.id }]);
});

test('closing a session sends session/close only to an agent that offers it', async () => {
  const sent: unknown[] = [];
  const observe = ({ direction, message }: { direction: string; message?: unknown }): void => {
    if (direction === 'out') sent.push(message);
  };
  const first = await script({ start: { capabilities: { sessionCapabilities: { close: {} } } }, observe });
  await first.session.close();
  expect(sent).toContainEqual(expect.objectContaining({ method: 'session/close' }));

  sent.length = 0;
  const second = await script({ observe });
  await second.session.close();

  expect(sent).not.toContainEqual(expect.objectContaining({ method: 'session/close' }));
  await expect(second.play()).rejects.toMatchObject({ code: 'closed' });
});

test("the client's trace context is sent with sessions and prompts", async () => {
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=b' };
  const sent: unknown[] = [];
  const { play } = await script({
    trace,
    observe: ({ direction, message }) => {
      if (direction === 'out') sent.push(message);
    },
  });

  await play({ say: 'hello' });

  expect(sent.slice(1)).toMatchObject([
    { method: 'session/new', params: { _meta: trace } },
    { method: 'session/prompt', params: { _meta: trace } },
  ]);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSession, type HostEvent } from '../src/index.ts';
import { approve, folder, isPosix, only, open, script } from './harness.ts';

const kinds = (events: readonly HostEvent[]): readonly string[] =>
  events.filter(({ type }) => type !== 'stderr').map(({ type }) => type);

test('events cover a session from the start of its agent to its end', async () => {
  const { events, play, session, connection } = await script();
  await play({ say: 'hello' });
  await session.close();
  await connection.end();
  expect(kinds(events)).toEqual([
    'agent-starting',
    'agent-start',
    'session-opening',
    'session',
    'session-ready',
    'turn-start',
    'update',
    'turn-end',
    'session-end',
    'agent-end',
  ]);
  const [start] = only(events, 'agent-start');
  expect(start).toMatchObject({ protocolVersion: 1, info: { name: 'scripted', version: '1.2.3' } });
  const [begin] = only(events, 'turn-start');
  const [end] = only(events, 'turn-end');
  expect(end).toEqual({
    type: 'turn-end',
    sessionId: session.id,
    turnId: begin?.turnId,
    stopReason: 'end_turn',
  });
  expect(only(events, 'session-end')).toMatchObject([{ reason: 'closed' }]);
  expect(only(events, 'agent-end')).toMatchObject([{ expected: true, exitCode: 0 }]);
});

test('an agent that crashes during a turn ends the turn and emits agent-end', async () => {
  const { events, play } = await script();
  await expect(play({ exit: 7 })).rejects.toMatchObject({ code: 'agent-exited' });
  expect(only(events, 'agent-end')).toMatchObject([{ expected: false, exitCode: 7 }]);
  expect(only(events, 'session-end')).toMatchObject([{ reason: 'agent-ended' }]);
  expect(only(events, 'turn-end')).toMatchObject([{ error: { code: 'agent-exited' } }]);
});

test('an error of the agent ends the turn with its code', async () => {
  const { events, play } = await script();
  await expect(play({ error: { code: -32010, message: 'no' } })).rejects.toMatchObject({ code: -32010 });
  expect(only(events, 'turn-end')).toMatchObject([{ error: { code: -32010, message: 'no' } }]);
});

test('a cancelled turn emits an event for each step', async () => {
  const { events, event, play, session } = await script();
  const turn = play({ say: 'busy' }, { forever: true });
  await event('update');
  await session.cancel({ graceMs: 0 });
  await turn;
  expect(only(events, 'turn-cancel').map(({ step }) => step)).toEqual([
    'asked',
    'request-cancelled',
    'agent-ended',
  ]);
  expect(only(events, 'turn-end')).toMatchObject([{ stopReason: 'cancelled' }]);
});

test('a permission request is emitted before and after its decision, under one id', async () => {
  const { events, play } = await script({ policy: approve('edits') });
  const toolCall = { toolCallId: 'call-1', title: 'Edit a', kind: 'edit' };
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  await play({ request: 'session/request_permission', params: { sessionId: '$SESSION', toolCall, options } });
  const [request] = only(events, 'permission-request');
  const [answer] = only(events, 'permission');
  expect(request).toMatchObject({ toolCall, options });
  expect(answer).toMatchObject({ requestId: request?.requestId, toolCallId: 'call-1', decision: 'yes' });
});

test('a question is emitted before and after its answer', async () => {
  const { events, play } = await script();
  const params = {
    sessionId: '$SESSION',
    mode: 'form',
    message: 'Why?',
    requestedSchema: { type: 'object' },
  };
  await play({ request: 'elicitation/create', params });
  const [request] = only(events, 'elicitation-request');
  expect(request).toMatchObject({ message: 'Why?', mode: 'form' });
  expect(only(events, 'elicitation')).toMatchObject([{ requestId: request?.requestId, action: 'cancel' }]);
});

test('a file written through the client is recorded with its content before and after', async () => {
  const cwd = await folder();
  await writeFile(join(cwd, 'old.txt'), 'before');
  const { events, play } = await script({ policy: approve('all'), session: { cwd } });
  const write = (name: string, content: string): Readonly<Record<string, unknown>> => ({
    request: 'fs/write_text_file',
    params: { sessionId: '$SESSION', path: join(cwd, name), content },
  });
  await play(write('old.txt', 'after'), write('new.txt', 'fresh'));
  expect(await readFile(join(cwd, 'old.txt'), 'utf8')).toBe('after');
  expect(only(events, 'file-write')).toMatchObject([
    {
      path: join(cwd, 'old.txt'),
      before: { kind: 'text', text: 'before' },
      after: { kind: 'text', text: 'after' },
    },
    { path: join(cwd, 'new.txt'), before: { kind: 'none' }, after: { kind: 'text', text: 'fresh' } },
  ]);
});

test.runIf(isPosix)(
  'the end of a command in a terminal is emitted with its status and its output',
  async () => {
    const { events, event, play, cwd } = await script({ policy: approve('all') });
    const env = [{ name: 'TOKEN', value: 'secret-value' }];
    const params = { sessionId: '$SESSION', command: 'echo done; exit 3', env };
    await play({ request: 'terminal/create', params });
    const end = await event('terminal-end');
    const [start] = only(events, 'terminal-start');
    expect(start).toMatchObject({ command: 'echo done; exit 3', cwd });
    expect(end).toMatchObject({
      terminalId: start?.terminalId,
      output: 'done\n',
      exitCode: 3,
      truncated: false,
    });
    // The prompt of this agent is its script, which names it.
    const others = events.filter(({ type }) => type !== 'turn-start');
    expect(JSON.stringify(others)).not.toContain('secret-value');
  },
);

test('a setting that the client changes is emitted', async () => {
  const modes = {
    currentModeId: 'a',
    availableModes: [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ],
  };
  const { events, session } = await script({ start: { newSession: { modes } } });
  expect(only(events, 'session-ready')).toMatchObject([{ modes: { currentModeId: 'a' } }]);
  await session.setMode('b');
  expect(only(events, 'settings')).toMatchObject([{ modes: { currentModeId: 'b' } }]);
});

test('a replayed history comes between session-start and session-ready', async () => {
  const { connection, events } = await open('scripted', { start: { capabilities: { loadSession: true } } });
  await openSession(connection, { cwd: await folder(), resume: { sessionId: 'kept' } });
  expect(kinds(events)).toEqual([
    'agent-starting',
    'agent-start',
    'session-opening',
    'session',
    'update',
    'session-ready',
  ]);
});

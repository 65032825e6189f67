import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWith } from './matchers.ts';
import { openStage, said, toolUpdates } from './stage.ts';

test('the agent says what it is and declares only what it has', async () => {
  await using stage = await openStage();
  const manifest: { version: string } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  );
  expect(stage.initialized).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'parley', title: 'Parley', version: manifest.version },
    agentCapabilities: { sessionCapabilities: { close: {}, additionalDirectories: {} } },
  });
  const { agentCapabilities } = stage.initialized;
  expect(agentCapabilities?.loadSession ?? false).toBe(false);
});

describe('the instructions for the model', () => {
  test('by a thought in the first turn, once', async () => {
    await using stage = await openStage();
    await stage.prompt('say: one');
    await stage.prompt('say: two');
    const thoughts = stage.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk');
    expect(thoughts).toMatchObject([{ content: { text: textWith('not a language model') } }]);
    expect(stage.updates[0]).toBe(thoughts[0]);
  });

  test('by a notice where the client takes them', async () => {
    await using stage = await openStage({ capabilities: { session: { notices: {} } } });
    await stage.prompt('say: one');
    expect(stage.updates[0]).toMatchObject({ sessionUpdate: 'notice', severity: 'info' });
    expect(stage.updates.map(({ sessionUpdate }) => sessionUpdate)).not.toContain('agent_thought_chunk');
  });
});

test('an MCP server that cannot be started is reported, and the session continues', async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.agent.request('session/new', {
    cwd: stage.directory,
    mcpServers: [{ name: 'x', command: 'x', args: [], env: [] }],
  });
  await stage.prompt('say: hi', sessionId);
  expect(JSON.stringify(stage.updates)).toContain('did not start');
});

test('sessions have ids of their own', async () => {
  await using stage = await openStage();
  const ids = await Promise.all(Array.from({ length: 20 }, () => stage.openSession()));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^sess_[\da-f-]{30,}$/u);
});

test.each([
  ['missing', 'missing'],
  ['a file', 'file.txt'],
])('a working directory that is %s is refused by name', async (_name, path) => {
  await using stage = await openStage();
  await writeFile(join(stage.directory, 'file.txt'), '');
  const cwd = join(stage.directory, path);
  await expect(stage.openSession(cwd)).rejects.toMatchObject({ code: -32602, message: textWith(cwd) });
});

test('too many open sessions are refused', async () => {
  await using stage = await openStage({ limits: { maxSessions: 2 } });
  const second = await stage.openSession();
  await expect(stage.openSession()).rejects.toMatchObject({ message: textWith('2 sessions are open') });
  await stage.agent.request('session/close', { sessionId: second });
  await stage.openSession();
});

test('a second prompt during a turn is rejected, and the turn continues', async () => {
  let seen = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    seen = resolve;
  });
  await using stage = await openStage({
    onUpdate: (update) => {
      if (update.sessionUpdate === 'agent_message_chunk') seen();
    },
  });
  const first = stage.prompt('say: one\nsleep 3600');
  await running;
  await expect(stage.prompt('say: two')).rejects.toMatchObject({ code: -32600 });
  await stage.cancel();
  expect(await first).toBe('cancelled');
  expect(said(stage.updates)).toEqual(['one']);
});

test('two sessions work at the same time and are not mixed up', async () => {
  const bySession = new Map<string, string[]>();
  await using stage = await openStage({
    onUpdate: (update, sessionId) => {
      if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return;
      bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), update.content.text]);
    },
  });
  const [left, right] = [await stage.openSession(), await stage.openSession()];
  const waiting = stage.prompt('say: left\nsleep 3600', left);
  expect(await stage.prompt('repeat 3: say: right\nrun echo x\nsay: done', right)).toBe('end_turn');
  await stage.cancel(left);
  expect(await waiting).toBe('cancelled');
  expect(bySession.get(left)).toEqual(['left']);
  expect(bySession.get(right)).toEqual(['right', 'right', 'right', 'done']);
});

test('a prompt may contain several texts and links', async () => {
  await using stage = await openStage();
  const sessionId = await stage.openSession();
  const { stopReason } = await stage.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'say: one' },
      { type: 'resource_link', uri: 'file:///notes.txt', name: 'notes' },
      { type: 'text', text: 'say: two' },
    ],
  });
  expect(stopReason).toBe('end_turn');
  expect(said(stage.updates)).toEqual(['one', 'two']);
});

test('tool call ids differ within a session', async () => {
  await using stage = await openStage();
  await stage.prompt('list .\nrepeat 3: read x');
  await stage.prompt('list .');
  const ids = toolUpdates(stage.updates).flatMap((update) =>
    update.sessionUpdate === 'tool_call' ? [update.toolCallId] : [],
  );
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
});

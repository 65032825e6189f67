import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, temporaryFolder, toSessionId } from './served.ts';
import type { Served, ServeOptions } from './served.ts';

let cwd = '';
let options: ServeOptions = {};

beforeEach(async () => {
  cwd = await temporaryFolder();
  options = { cwd, stateDirectory: join(cwd, 'state') };
});

afterEach(() => rm(cwd, { recursive: true }));

async function fork(served: Served, sessionId: string, more: object = {}): Promise<string> {
  return toSessionId(await served.connection.request('session/fork', { sessionId, cwd, ...more }));
}

async function prompt(served: Served, sessionId: string, text: string): Promise<unknown> {
  return await served.connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

/** What was said in a session, by both sides, as a load shows it. */
async function saidIn(served: Served, sessionId: string): Promise<readonly string[]> {
  const from = served.heard.length;
  await served.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
  return served.heard
    .slice(from)
    .filter((line) => line.includes(`"sessionId":"${sessionId}"`))
    .flatMap((line) => /(?:user|agent)_message_chunk.*"text":"([^"]*)"/u.exec(line)?.[1] ?? []);
}

test('session/fork is offered only where sessions are stored', async () => {
  await using served = await serve(options);
  expect(served.initialized).toMatchObject({ agentCapabilities: { sessionCapabilities: { fork: {} } } });
  await using unkept = await serve();
  expect(JSON.stringify(unkept.initialized)).not.toContain('fork');
  const answer = unkept.connection.request('session/fork', { sessionId: unkept.sessionId, cwd });
  await expect(answer).rejects.toMatchObject({ code: -32601 });
});

test('both go their own way from there, and nothing is shown again', async () => {
  await using served = await serve(options);
  const { sessionId } = served;
  await served.prompt('say: one');
  const heard = served.heard.length;
  const forked = await fork(served, sessionId);
  expect(forked).not.toBe(sessionId);
  const sent = served.heard.slice(heard).filter((line) => !line.includes('available_commands_update'));
  expect(sent).toEqual([]);
  await prompt(served, sessionId, 'say: two');
  await prompt(served, forked, 'say: three');
  expect(await saidIn(served, sessionId)).toEqual(['say: one', 'one', 'say: two', 'two']);
  expect(await saidIn(served, forked)).toEqual(['say: one', 'one', 'say: three', 'three']);
});

test('mode, model bounds and title come with it, and belong to each from then on', async () => {
  await using served = await serve(options);
  const { sessionId, connection } = served;
  await served.prompt('say: one');
  await connection.request('session/set_mode', { sessionId, modeId: 'plan' });
  await connection.request('session/set_model', { sessionId, contextLength: 5000 });
  const answer = await connection.request('session/fork', { sessionId, cwd });
  expect(answer).toMatchObject({
    modes: { currentModeId: 'plan' },
    configOptions: [{ id: 'model' }, { id: 'mode', currentValue: 'plan' }],
  });
  const forked = toSessionId(answer);
  await connection.request('session/set_mode', { sessionId: forked, modeId: 'read-only' });
  expect(await connection.request('session/set_model', { sessionId: forked, maxTokens: 9 })).toMatchObject({
    contextLength: 5000,
  });
  expect(await connection.request('session/load', { sessionId, cwd, mcpServers: [] })).toMatchObject({
    modes: { currentModeId: 'plan' },
  });
  const entry = expect.objectContaining({ title: 'say: one', cwd });
  expect(await connection.request('session/list', {})).toEqual({ sessions: [entry, entry] });
});

test('a stored session that is not open can be forked repeatedly', async () => {
  let sessionId = '';
  {
    await using served = await serve(options);
    await served.prompt('say: one');
    sessionId = served.sessionId;
  }
  await using served = await serve(options);
  const first = await fork(served, sessionId, { mcpServers: [] });
  const second = await fork(served, first);
  await prompt(served, second, 'say: two');
  expect(await saidIn(served, second)).toEqual(['say: one', 'one', 'say: two', 'two']);
  expect(await saidIn(served, sessionId)).toEqual(['say: one', 'one']);
});

test('ids of tool calls and messages are not used twice', async () => {
  await using served = await serve(options);
  await served.prompt('list .\nsay: one');
  const forked = await fork(served, served.sessionId);
  await prompt(served, forked, 'list .\nsay: two');
  const from = served.heard.length;
  await served.connection.request('session/load', { sessionId: forked, cwd, mcpServers: [] });
  const calls = served.heard.slice(from).filter((line) => line.includes('"sessionUpdate":"tool_call"'));
  const ids = calls.map((line) => /"toolCallId":"([^"]+)"/u.exec(line)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

test('a fork during a turn has the settings made in the turn, and none of its messages', async () => {
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answer: (value: object) => void = () => undefined;
  await using served = await serve({
    ...options,
    onRequest: () => {
      asked();
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const { sessionId } = served;
  await served.prompt('say: one');
  const running = served.prompt('say: two\nask: on?\nsay: three');
  await isAsked;
  await served.connection.request('session/set_mode', { sessionId, modeId: 'plan' });
  const forked = await fork(served, sessionId);
  answer({ answer: 'yes' });
  expect(await running).toEqual({ stopReason: 'end_turn' });
  expect(await saidIn(served, forked)).toEqual(['say: one', 'one']);
  expect(await served.connection.request('session/resume', { sessionId: forked, cwd })).toMatchObject({
    modes: { currentModeId: 'plan' },
  });
  expect(await saidIn(served, sessionId)).toContain('three');
});

test('a fork in the first turn is empty, and goes with the connection', async () => {
  let sessionId = '';
  {
    await using served = await serve(options);
    sessionId = await fork(served, served.sessionId);
    await prompt(served, await fork(served, sessionId), 'say: kept');
  }
  const names = await readdir(join(cwd, 'state', 'agent', 'sessions'));
  expect(names).toHaveLength(1);
  expect(names.join()).not.toContain(sessionId);
});

test('another directory is refused with both, an unknown session is unknown, and nothing is left behind', async () => {
  await using served = await serve(options);
  const { sessionId, connection } = served;
  await served.prompt('say: one');
  const elsewhere = connection.request('session/fork', { sessionId, cwd: '/' });
  await expect(elsewhere).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(cwd),
    data: { sessionId, cwd },
  });
  await expect(fork(served, 'sess_none')).rejects.toMatchObject({
    code: -32002,
    data: { sessionId: 'sess_none' },
  });
  await expect(fork(served, sessionId, { additionalDirectories: [join(cwd, 'none')] })).rejects.toMatchObject(
    { code: -32602 },
  );
  await expect(fork(served, sessionId, { additionalDirectories: ['relative'] })).rejects.toMatchObject({
    code: -32602,
  });
  await expect(
    fork(served, sessionId, { mcpServers: [{ type: 'acp', name: 'n', serverId: 's' }] }),
  ).rejects.toMatchObject({ code: -32602 });
  const names = await readdir(join(cwd, 'state', 'agent', 'sessions'));
  expect(names.filter((name) => name.endsWith('.jsonl'))).toEqual([`${sessionId}.jsonl`]);
});

test('the sub-agents of the copy have ids of their own', async () => {
  await using served = await serve({ ...options, clientCapabilities: { subagents: {} } });
  const { sessionId } = served;
  await served.prompt('call task {"prompt":"say: done"}');
  const child = /"subagent_update","sessionId":"([^"]*)"/u.exec(served.heard.join('\n'))?.[1] ?? 'none';
  const forked = await fork(served, sessionId);
  const from = served.heard.length;
  await served.connection.request('session/load', { sessionId: forked, cwd, mcpServers: [] });
  const heard = served.heard.slice(from).join('\n');
  const copy = /"subagent_update","sessionId":"([^"]*)"/u.exec(heard)?.[1];
  expect(heard).not.toContain(child);
  expect(heard).toContain(`{"type":"session","sessionId":"${copy ?? ''}"}`);
  expect(heard).toContain(`"senderSessionId":"${forked}","recipientSessionId":"${copy ?? ''}"`);
});

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Message } from '@parley/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClientGuard } from './client-guard.ts';
import { memorySessionOwners } from './session-owners.ts';

let folder = '';
let stops: string[] = [];
let isEnding = false;
let guard: ClientGuard;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-guard-')));
  stops = [];
  isEnding = false;
  guard = new ClientGuard({
    principal: { id: 'token:admin', name: 'admin', scope: 'admin' },
    agent: 'first',
    owners: memorySessionOwners(),
    workspaces: [folder],
    makeWay: () => Promise.resolve(),
    isEnding: () => isEnding,
    onTurn: () => (stopReason) => {
      stops.push(stopReason);
    },
  });
});

afterEach(() => rm(folder, { recursive: true }));

test('a list of sessions has those in the offered folders only', async () => {
  await guard.refuse(call('session/list', {}));

  const answer = await guard.hear(
    result({
      sessions: [
        { sessionId: 'in', cwd: folder },
        { sessionId: 'out', cwd: tmpdir() },
        { sessionId: 'gone', cwd: `${folder}/gone` },
        'noise',
      ],
      _meta: { own: true },
    }),
  );

  expect(answer).toEqual({
    toClient: result({ sessions: [{ sessionId: 'in', cwd: folder }], _meta: { own: true } }),
  });
});

test('a session is deleted by whoever was told of it', async () => {
  expect(await guard.refuse(call('session/delete', { sessionId: 'a' }))).toMatchObject({ code: -32602 });

  await guard.refuse(call('session/new', { cwd: folder }));
  await guard.hear(result({ sessionId: 'a' }));
  await guard.refuse(call('session/load', { sessionId: 'b', cwd: folder }));
  await guard.hear(result({}));

  expect(await guard.refuse(call('session/delete', { sessionId: 'a' }, 2))).toBeUndefined();
  expect(await guard.refuse(call('session/delete', { sessionId: 'b' }, 3))).toBeUndefined();
  expect(await guard.refuse(call('session/delete', { sessionId: 'c' }))).toMatchObject({ code: -32602 });
});

test('a session that the agent refused to open is not told of', async () => {
  await guard.refuse(call('session/load', { sessionId: 'a', cwd: folder }));
  await guard.hear({ jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'unknown' } });

  expect(await guard.refuse(call('session/delete', { sessionId: 'a' }))).toMatchObject({ code: -32602 });
});

test('an answer cannot be made to pass as that to another request', async () => {
  await guard.refuse(call('session/list', {}));

  expect(await guard.refuse(call('session/prompt', { sessionId: 'a' }))).toMatchObject({ code: -32600 });
});

test('a turn is told of once, with how it stopped', async () => {
  await guard.refuse(call('session/prompt', { sessionId: 'a' }, 1));
  await guard.refuse(call('session/prompt', { sessionId: 'b' }, 2));
  await guard.refuse(call('session/prompt', { sessionId: 'c' }, 3));
  await guard.refuse(call('session/prompt', { sessionId: 'd' }, 4));

  await guard.hear(result({ stopReason: 'end_turn' }, 1));
  await guard.hear(result({ stopReason: 'made-up' }, 2));
  await guard.hear({ jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'failed' } });
  guard.end();

  expect(stops).toEqual(['end_turn', 'other', 'error', 'error']);
});

test('an answer counts once, and only to what was asked of the client', () => {
  expect(guard.expects(result({}, 7))).toBe(false);

  const asked = call('fs/read_text_file', {}, 7);
  expect(guard.hear(asked)).toEqual({ toClient: asked });

  expect(guard.expects(result({}, 7))).toBe(true);
  expect(guard.expects(result({}, 7))).toBe(false);
});

test('an agent that asks for ever is told so', () => {
  for (let id = 0; id < 1024; id += 1) expect(guard.hear(call('_ask', {}, id))).toHaveProperty('toClient');

  expect(guard.hear(call('_ask', {}, 1024))).toMatchObject({
    toAgent: { id: 1024, error: { code: -32603 } },
  });
  expect(guard.expects(result({}, 0))).toBe(true);
  expect(guard.hear(call('_ask', {}, 1025))).toHaveProperty('toClient');
});

test('at the end nothing begins, and what goes on may be cancelled', async () => {
  isEnding = true;

  expect(await guard.refuse(call('session/prompt', {}))).toMatchObject({
    message: 'the server is about to end',
  });
  expect(await guard.refuse({ jsonrpc: '2.0', method: 'session/cancel', params: {} })).toBeUndefined();
});

function call(method: string, params: unknown, id = 1): Message {
  return { jsonrpc: '2.0', id, method, params };
}

function result(value: unknown, id = 1): Message {
  return { jsonrpc: '2.0', id, result: value };
}

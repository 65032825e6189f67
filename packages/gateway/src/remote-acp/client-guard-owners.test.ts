import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Message } from '@parley/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../access/token.ts';
import { ClientGuard } from './client-guard.ts';
import { memorySessionOwners, type SessionOwners } from './session-owners.ts';

let folder = '';
let owners: SessionOwners;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-owners-')));
  owners = memorySessionOwners();
});

afterEach(() => rm(folder, { recursive: true }));

const storing = { loadSession: true, sessionCapabilities: { list: {}, close: {} } };

/** The guard of a client whose agent has answered `initialize`. */
async function guardOf(
  id: string,
  scope: Scope = 'use',
  capabilities: object = storing,
): Promise<ClientGuard> {
  const guard = new ClientGuard({
    principal: { id: `token:${id}`, name: id, scope },
    agent: 'first',
    owners,
    workspaces: [folder],
    isEnding: () => false,
    makeWay: () => Promise.resolve(),
    onTurn: () => () => undefined,
  });
  await guard.refuse(call('initialize', {}, 0));
  await guard.hear(result({ agentCapabilities: capabilities }, 0));
  return guard;
}

async function begin(guard: ClientGuard, sessionId: string): Promise<unknown> {
  await guard.refuse(call('session/new', { cwd: folder }));
  return guard.hear(result({ sessionId }));
}

const own = (sessionId: string): Message => call('session/prompt', { sessionId }, 50);

test('a session of an agent that stores them belongs to its token on each connection, also under another name', async () => {
  await begin(await guardOf('ann'), 's');

  const again = await guardOf('ann');

  expect(await again.refuse(own('s'))).toBeUndefined();
  expect(await (await guardOf('bob')).refuse(own('s'))).toEqual({
    code: -32_002,
    message: 'Unknown session: s',
    data: { sessionId: 's' },
  });
  expect(owners.find('first', 's')).toEqual({ owner: 'token:ann', cwd: folder });
});

test.each(['SESSIONID', 'session_id', 'sessionid', 'SessionId', '\u017FessionId'])(
  'a second session that some agents would read from %s is not passed on',
  async (field) => {
    await begin(await guardOf('ann'), 's');
    const bob = await guardOf('bob');
    await begin(bob, 'own');

    for (const method of ['session/prompt', 'session/load', 'session/new', '_agent/own']) {
      const params = { sessionId: 'own', [field]: 's', cwd: folder };
      expect(await bob.refuse(call(method, params, 51))).toMatchObject({ code: -32_602 });
    }
  },
);

test('a message with a second method that some agents would read is not passed on', async () => {
  const bob = await guardOf('bob');
  await begin(bob, 'own');

  const message = { ...own('own'), METHOD: 'session/load', Params: { sessionId: 's' } };

  expect(await bob.refuse(message)).toMatchObject({ code: -32_600 });
});

test('a session of an agent that stores none belongs to its connection, whatever ids other connections have', async () => {
  const [ann, bob] = [await guardOf('ann', 'use', {}), await guardOf('bob', 'use', {})];

  await begin(ann, '1');
  expect(await begin(bob, '1')).toEqual({ toClient: result({ sessionId: '1' }) });

  expect(await ann.refuse(own('1'))).toBeUndefined();
  expect(await bob.refuse(own('1'))).toBeUndefined();
  expect(await (await guardOf('ann', 'use', {})).refuse(own('1'))).toMatchObject({ code: -32_002 });
});

test.each(['use', 'admin'] as const)(
  'an agent that gives a new session the id of another token is not believed, with a token of scope %s',
  async (scope) => {
    await begin(await guardOf('ann'), 's');
    const bob = await guardOf('bob', scope);

    expect(await begin(bob, 's')).toMatchObject({ toClient: { error: { code: -32_603 } } });

    expect(owners.find('first', 's')).toMatchObject({ owner: 'token:ann' });
  },
);

test('a session whose owner cannot be stored is not told of', async () => {
  owners = { ...memorySessionOwners(), set: () => Promise.reject(new Error('no space')) };
  const ann = await guardOf('ann');

  const answer = await begin(ann, 's');

  expect(answer).toMatchObject({ toClient: { error: { code: -32_603 } } });
  expect(JSON.stringify(answer)).not.toContain('"s"');
  expect(await ann.refuse(own('s'))).toMatchObject({ code: -32_002 });
});

test('what an agent says of the sessions of others is kept from the client, and a request of it is refused', async () => {
  await begin(await guardOf('bob'), 'bobs');
  const ann = await guardOf('ann');
  await begin(ann, 'anns');
  const update = (sessionId: string): Message => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', sessionIdOfATool: 'bobs' } },
  });

  expect(await ann.hear(update('anns'))).toEqual({ toClient: update('anns') });
  for (const sessionId of ['bobs', 'nobodys']) {
    expect(await ann.hear(update(sessionId))).toEqual({});
    expect(await ann.hear(call('fs/read_text_file', { sessionId, path: '/a' }, 9))).toMatchObject({
      toAgent: { id: 9, error: { code: -32_602 } },
    });
  }
  expect(
    await ann.hear({ jsonrpc: '2.0', method: '_own/changed', params: { list: [{ sessionId: 'bobs' }] } }),
  ).toEqual({});
  expect(await (await guardOf('eve', 'observe')).hear(update('bobs'))).toEqual({ toClient: update('bobs') });
});

test('an agent may speak of a session while it is being begun, and not of one that belongs to another token', async () => {
  await begin(await guardOf('bob'), 'bobs');
  const ann = await guardOf('ann');
  await ann.refuse(call('session/new', { cwd: folder }));
  const read = (sessionId: string): Message =>
    call('fs/read_text_file', { sessionId, path: '/AGENTS.md' }, 9);

  expect(await ann.hear(read('new'))).toEqual({ toClient: read('new') });
  expect(await ann.hear(read('bobs'))).toHaveProperty('toAgent');

  await ann.hear(result({ sessionId: 'new' }));
  expect(await ann.hear(read('another'))).toHaveProperty('toAgent');
});

test('a sub-agent of a session belongs to the client of that session', async () => {
  await begin(await guardOf('bob'), 'bobs');
  const ann = await guardOf('ann');
  await begin(ann, 'parent');
  const announce = (sessionId: string): Message => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 'parent', update: { sessionUpdate: 'subagent_update', sessionId } },
  });

  await ann.hear(announce('child'));
  await ann.hear(announce('bobs'));

  expect(await ann.refuse(call('session/cancel', { sessionId: 'child' }))).toBeUndefined();
  expect(await ann.refuse(call('session/cancel', { sessionId: 'bobs' }))).toMatchObject({ code: -32_002 });
});

test('all pages of an agent become one list, and neither its cursors nor its own words are passed on', async () => {
  const ann = await guardOf('ann');
  await begin(ann, 'anns');
  await begin(await guardOf('bob'), 'bobs');
  const list = call('session/list', { cwd: folder }, 2);
  const entry = (sessionId: string): object => ({ sessionId, cwd: folder });
  expect(await ann.refuse(list)).toBeUndefined();

  const first = await ann.hear(
    result({ sessions: [entry('bobs')], nextCursor: 'after bobs', _meta: { total: 2 } }, 2),
  );
  const second = await ann.hear(result({ sessions: [entry('anns')], nextCursor: 'more' }, 2));
  const third = await ann.hear(result({ sessions: [entry('nobodys')], nextCursor: 'more' }, 2));

  expect(first).toEqual({ toAgent: call('session/list', { cwd: folder, cursor: 'after bobs' }, 2) });
  expect(second).toEqual({ toAgent: call('session/list', { cwd: folder, cursor: 'more' }, 2) });
  expect(third).toEqual({ toClient: result({ sessions: [entry('anns')] }, 2) });
  expect(await ann.refuse(call('session/list', { cursor: 'after bobs' }, 3))).toMatchObject({
    code: -32_602,
  });
});

test('a deleted session has no owner any more', async () => {
  const ann = await guardOf('ann');
  await begin(ann, 's');
  await ann.refuse(call('session/delete', { sessionId: 's' }, 2));

  await ann.hear(result({}, 2));

  expect(owners.find('first', 's')).toBeUndefined();
  expect(await ann.refuse(own('s'))).toMatchObject({ code: -32_002 });
});

test('a session is deleted on another connection too, while its folder is offered', async () => {
  await begin(await guardOf('ann'), 's');
  await owners.set('first', 'elsewhere', { owner: 'token:ann', cwd: tmpdir() });
  const ann = await guardOf('ann');

  expect(await ann.refuse(call('session/delete', { sessionId: 's' }, 2))).toBeUndefined();
  expect(await ann.refuse(call('session/delete', { sessionId: 'elsewhere' }, 3))).toMatchObject({
    code: -32_602,
  });
});

test('whoever observes is never asked', async () => {
  const eve = await guardOf('eve', 'observe');

  expect(await eve.hear(call('session/request_permission', { sessionId: 's' }, 5))).toEqual({
    toAgent: result({ outcome: { outcome: 'cancelled' } }, 5),
  });
  expect(await eve.hear(call('fs/write_text_file', { sessionId: 's' }, 6))).toMatchObject({
    toAgent: { id: 6, error: { code: -32_600 } },
  });
});

test('a message that is nested as deeply as its size allows is looked through', async () => {
  await begin(await guardOf('bob'), 'bobs');
  const ann = await guardOf('ann');
  await begin(ann, 'anns');
  let nested: object = { sessionId: 'bobs' };
  for (let depth = 0; depth < 100_000; depth += 1) nested = { nested };

  expect(await ann.refuse(call('_own/deep', { sessionId: 'anns', nested }))).toMatchObject({ code: -32_002 });
});

function call(method: string, params: unknown, id = 1): Message {
  return { jsonrpc: '2.0', id, method, params };
}

function result(value: unknown, id = 1): Message {
  return { jsonrpc: '2.0', id, result: value };
}

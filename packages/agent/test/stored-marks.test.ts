import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serve, temporaryFolder, toSessionId } from './served.ts';
import type { Served, ServeOptions } from './served.ts';

const unknown = { sessionId: 'sess_00000000-0000-4000-8000-000000000000' };
let cwd = '';
let options: ServeOptions = {};

beforeEach(async () => {
  cwd = await temporaryFolder();
  options = { cwd, stateDirectory: join(cwd, 'state') };
});

afterEach(() => rm(cwd, { recursive: true }));

async function listed(served: Served, params: object = {}): Promise<readonly object[]> {
  const result = await served.connection.request('session/list', params);
  const { sessions } = result as { readonly sessions: readonly object[] };
  return sessions;
}

/** A session in which something was said, closed with its connection. */
async function saidBefore(text = 'say: one'): Promise<string> {
  await using served = await serve(options);
  await served.prompt(text);
  return served.sessionId;
}

test('titles, the archive and the status are offered only where sessions are stored', async () => {
  await using served = await serve(options);
  expect(served.initialized).toMatchObject({
    agentCapabilities: {
      sessionCapabilities: { archive: {}, status: {}, title: {} },
      auth: { status: {} },
    },
  });
  await using unstored = await serve();
  expect(JSON.stringify(unstored.initialized)).not.toMatch(/"archive"|"title":\{\}/u);
});

test('auth/status says that no sign-in is needed', async () => {
  await using served = await serve();
  expect(await served.connection.request('auth/status', {})).toEqual({ state: 'not_required' });
});

describe('session/set_title', () => {
  test('is stored, normalized, also for a session that is not open, and does not change its time', async () => {
    const sessionId = await saidBefore();
    await using served = await serve(options);
    const before = (await listed(served)).find((session) => 'title' in session);
    const answer = await served.connection.request('session/set_title', {
      sessionId,
      title: '  My \t title \n second line',
    });
    expect(answer).toEqual({ title: 'My title' });
    expect(await listed(served)).toContainEqual({ ...before, title: 'My title' });
  });

  test('stays when the first prompt comes, which would have given another one', async () => {
    await using served = await serve(options);
    await served.connection.request('session/set_title', { sessionId: served.sessionId, title: 'Mine' });
    await served.prompt('say: one');
    expect(await listed(served)).toMatchObject([{ title: 'Mine' }]);
    expect(served.heard.join()).not.toContain('session_info_update');
  });

  test('comes along with a fork, and goes with the session', async () => {
    const sessionId = await saidBefore();
    await using served = await serve(options);
    const { connection } = served;
    await connection.request('session/set_title', { sessionId, title: 'Mine' });
    const forked = toSessionId(await connection.request('session/fork', { sessionId, cwd }));
    const titled = async (): Promise<readonly object[]> =>
      (await listed(served)).filter((session) => 'title' in session);
    expect(await titled()).toMatchObject([{ title: 'Mine' }, { title: 'Mine' }]);
    await connection.request('session/delete', { sessionId });
    expect(await titled()).toMatchObject([{ sessionId: forked, title: 'Mine' }]);
  });

  test.each(['', ' \n\t'])('%j is refused', async (title) => {
    const sessionId = await saidBefore();
    await using served = await serve(options);
    const answer = served.connection.request('session/set_title', { sessionId, title });
    await expect(answer).rejects.toMatchObject({ code: -32602 });
  });
});

describe('session/archive', () => {
  test('closes the session and hides it; the filter finds it; unarchive shows it again', async () => {
    await using served = await serve(options);
    const { connection, sessionId } = served;
    await served.prompt('say: one');
    expect(await listed(served)).toMatchObject([{ sessionId, archived: false }]);
    expect(await connection.request('session/archive', { sessionId })).toEqual({});
    await expect(served.prompt('say: two')).rejects.toMatchObject({ code: -32002 });
    expect(await listed(served)).toEqual([]);
    expect(await listed(served, { archived: 'only', cwd })).toMatchObject([{ sessionId, archived: true }]);
    expect(await listed(served, { archived: 'include' })).toMatchObject([{ sessionId, archived: true }]);
    expect(await connection.request('session/unarchive', { sessionId })).toEqual({});
    expect(await listed(served)).toMatchObject([{ sessionId, archived: false }]);
    expect(await listed(served, { archived: 'only' })).toEqual([]);
  });

  test('a running turn is cancelled first', async () => {
    await using served = await serve(options);
    const { connection, sessionId } = served;
    const turn = served.prompt('run: sleep 60');
    await connection.request('session/archive', { sessionId });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(await listed(served, { archived: 'only' })).toMatchObject([{ sessionId }]);
  });

  test('is stored beyond the connection, may be repeated, and leaves the title', async () => {
    const sessionId = await saidBefore();
    {
      await using served = await serve(options);
      await served.connection.request('session/set_title', { sessionId, title: 'Mine' });
      await served.connection.request('session/archive', { sessionId });
      await served.connection.request('session/archive', { sessionId });
    }
    await using served = await serve(options);
    expect(await listed(served, { archived: 'only' })).toMatchObject([{ sessionId, title: 'Mine' }]);
    await served.connection.request('session/unarchive', { sessionId });
    await served.connection.request('session/unarchive', { sessionId });
    expect(await listed(served, { archived: 'only' })).toEqual([]);
  });

  test('an unknown filter is refused, and counts as no other', async () => {
    await using served = await serve(options);
    const answer = served.connection.request('session/list', { archived: '_mine' });
    await expect(answer).rejects.toMatchObject({ code: -32602 });
  });
});

test('session/status distinguishes an open session from a stored one, and opens none', async () => {
  const sessionId = await saidBefore();
  await using served = await serve(options);
  const { connection } = served;
  expect(await connection.request('session/status', { sessionId })).toEqual({ status: 'saved' });
  expect(await connection.request('session/status', { sessionId })).toEqual({ status: 'saved' });
  expect(await connection.request('session/status', { sessionId: served.sessionId })).toEqual({
    status: 'open',
  });
});

test.each(['archive', 'unarchive', 'status', 'set_title'])(
  'session/%s of an unknown session is refused with -32002',
  async (method) => {
    await using served = await serve(options);
    const answer = served.connection.request(`session/${method}`, { ...unknown, title: 'Mine' });
    await expect(answer).rejects.toMatchObject({ code: -32002 });
  },
);

test('a damaged file of marks costs no session, and the next change reports it', async () => {
  const sessionId = await saidBefore();
  await writeFile(join(cwd, 'state', 'agent', 'sessions', 'marks.json'), '{');
  await using served = await serve(options);
  expect(await listed(served)).toContainEqual(expect.objectContaining({ sessionId, title: 'say: one' }));
  await served.connection.request('session/load', { sessionId, cwd, mcpServers: [] });
  const answer = served.connection.request('session/set_title', { sessionId, title: 'Mine' });
  await expect(answer).rejects.toMatchObject({ code: -32603 });
});

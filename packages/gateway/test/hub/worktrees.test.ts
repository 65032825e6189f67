import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { worktreeMethods, type BeginRaceResult } from '@parley/host/hub';
import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { git } from './changes-stage.ts';
import type { StagedClient } from './hub-stage.ts';
import { openWorktrees } from './worktrees-stage.ts';

async function refusalOf(
  client: StagedClient,
  method: string,
  params: object,
): Promise<{ readonly code?: number; readonly reason?: unknown }> {
  try {
    await client.ask(method, params);
    return {};
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, data } = error;
    return {
      code,
      reason: typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined,
    };
  }
}

test('a worktree is listed, compared, merged after a preview, and removed with its changes saved', async () => {
  const { client, repository, list, gate } = await openWorktrees();
  const sessionId = await client.start({ 'parley/worktree': { name: 'fix' } });
  await client.prompt(sessionId, 'written');

  expect(await list()).toMatchObject([
    {
      name: 'fix',
      branch: 'parley/fix',
      baseRef: 'HEAD',
      checkout: repository,
      session: sessionId,
      state: 'changed',
      files: 1,
      additions: 1,
      deletions: 0,
    },
  ]);
  expect(await client.ask(worktreeMethods.diff, { sessionId })).toMatchObject({
    files: [{ path: 'new.txt', status: 'added', newMode: '100644', hunks: [{ lines: ['+written'] }] }],
    omitted: [],
  });
  const merged = { checkout: repository, files: [{ path: 'new.txt', additions: 1, deletions: 0 }] };
  expect(await client.ask(worktreeMethods.merge, { sessionId, dryRun: true })).toMatchObject(merged);
  expect(await git(repository, 'status', '--porcelain')).toBe('');
  expect(await client.ask(worktreeMethods.remove, { sessionId, discard: true, dryRun: true })).toEqual({
    savedAs: 'refs/parley/saved/fix',
  });
  expect(await refusalOf(client, worktreeMethods.remove, { sessionId })).toMatchObject({
    code: -32_600,
    reason: 'unsaved',
  });
  await writeFile(join(repository, 'new.txt'), 'mine\n');
  expect(await refusalOf(client, worktreeMethods.merge, { sessionId })).toMatchObject({
    code: -32_600,
    reason: 'conflict',
  });
  expect(await readFile(join(repository, 'new.txt'), 'utf8')).toBe('mine\n');

  const held = client.prompt(sessionId, 'hold');
  await client.until(() => client.sessions.get(sessionId)?.state === 'running');
  expect(await refusalOf(client, worktreeMethods.remove, { sessionId, discard: true })).toMatchObject({
    reason: 'in-use',
  });
  gate.open();
  await held;
  expect(await client.ask(worktreeMethods.remove, { sessionId, discard: true })).toEqual({
    savedAs: 'refs/parley/saved/fix',
  });

  expect(await list()).toEqual([]);
  expect((await git(repository, 'show', 'refs/parley/saved/fix:new.txt')).trim()).toBe('hold');
  expect(await refusalOf(client, worktreeMethods.diff, { sessionId })).toMatchObject({
    reason: 'no-worktree',
  });
});

test('a race runs each agent in its own worktree with a check, and shows its progress to all clients', async () => {
  const { stage, client, repository, list, gate } = await openWorktrees();
  const bob = await stage.join('bob', 'use');

  const { id } = (await client.ask(worktreeMethods.race, {
    cwd: repository,
    agents: ['scripted', 'scripted'],
    prompt: 'hold',
    check: 'cat new.txt; exit 3',
  })) as BeginRaceResult;
  const runners = async () => (await list()).map(({ race, session }) => ({ ...race, session }));
  await expect.poll(runners).toMatchObject([
    { id, agent: 'scripted', state: 'running', session: expect.any(String) as string },
    { id, agent: 'scripted', state: 'running', session: expect.any(String) as string },
  ]);
  const known = client.worktreesChanged;
  expect(known).toBeGreaterThan(0);
  gate.open();

  await expect.poll(runners).toMatchObject(
    Array.from({ length: 2 }, () => ({
      prompt: 'hold',
      state: 'ended',
      stopReason: 'end_turn',
      check: { exitCode: 3, output: 'hold\n' },
    })),
  );
  await client.until(() => client.worktreesChanged > known);
  const listed = await list();
  expect(listed.map(({ name }) => name).toSorted()).toEqual([`${id}-scripted`, `${id}-scripted-2`]);
  // Another token sees neither the sessions nor their worktrees.
  expect(await list(bob)).toEqual([]);
  const [first] = listed;
  expect(await refusalOf(bob, worktreeMethods.merge, { sessionId: first?.session })).toMatchObject({
    code: -32_002,
  });
  await client.ask(worktreeMethods.merge, { sessionId: first?.session, message: 'Adopt' });
  expect((await git(repository, 'log', '-1', '--format=%s')).trim()).toBe('Adopt');
  expect((await list()).map(({ state }) => state)).toEqual(['merged', 'merged']);
});

test('a runner whose server was killed is listed as interrupted, with its stored progress', async () => {
  const { stage, client, repository, list, gate, records } = await openWorktrees();
  await client.ask(worktreeMethods.race, { cwd: repository, agents: ['scripted'], prompt: 'hold' });
  await expect.poll(() => list()).toMatchObject([{ files: 1, race: { state: 'running' } }]);
  const running = await records();
  gate.open();
  await expect.poll(() => list()).toMatchObject([{ race: { state: 'ended' } }]);

  // What a kill would have left: the record of then, and no process that has the lock.
  for (const [file, text] of running) await writeFile(file, text);

  expect(await list()).toMatchObject([
    { files: 1, state: 'changed', race: { state: 'interrupted', prompt: 'hold' } },
  ]);
  expect(stage.faults).toEqual([]);
});

test('invalid params of worktrees and races are rejected, and start nothing', async () => {
  const { stage, client, repository, list } = await openWorktrees();
  const sessionId = await client.start();
  const ada = await stage.join('ada', 'use');
  const race = { cwd: repository, agents: ['scripted'], prompt: 'go' };

  const refused = [
    await refusalOf(client, worktreeMethods.merge, { sessionId }),
    await refusalOf(client, worktreeMethods.merge, { sessionId, message: ' ' }),
    await refusalOf(client, worktreeMethods.merge, { sessionId, dryRun: 1 }),
    await refusalOf(client, worktreeMethods.remove, { sessionId: '../x' }),
    await refusalOf(client, worktreeMethods.diff, { sessionId: 'missing' }),
    await refusalOf(client, worktreeMethods.race, { ...race, agents: [] }),
    await refusalOf(client, worktreeMethods.race, {
      ...race,
      agents: Array.from({ length: 17 }, () => 'scripted'),
    }),
    await refusalOf(client, worktreeMethods.race, { ...race, agents: ['nothing'] }),
    await refusalOf(client, worktreeMethods.race, { ...race, prompt: '' }),
    await refusalOf(client, worktreeMethods.race, { ...race, cwd: 'relative' }),
    await refusalOf(client, worktreeMethods.race, { ...race, cwd: '/' }),
    await refusalOf(ada, worktreeMethods.race, { ...race, check: 'true' }),
  ];

  expect(refused.map(({ code }) => code)).toEqual([
    -32_600, -32_602, -32_602, -32_602, -32_002, -32_602, -32_602, -32_602, -32_602, -32_602, -32_602,
    -32_600,
  ]);
  expect(await list()).toEqual([]);
  expect(stage.faults).toEqual([]);
});

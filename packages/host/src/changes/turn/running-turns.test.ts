import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../store/temporary-folder.fixture.ts';
import { RunningTurns } from './running-turns.ts';

test('while a turn runs, nothing is restored in its folder, above it and below it; elsewhere it is', async () => {
  const folder = await temporaryFolder();
  // Each process has its own.
  const [one, other] = [new RunningTurns(folder), new RunningTurns(folder)];
  const workspace = '/work/app';
  const turn = { workspace, key: 'k', sessionId: 's', turnId: 't', turn: 1, startedAt: Date.now() };
  const mark = await one.begin(turn);

  for (const related of [workspace, '/work', '/', path.join(workspace, 'packages', 'one')]) {
    await expect(other.restore(related, async () => 'restored')).rejects.toMatchObject({
      code: 'turn-running',
      message: expect.stringContaining('session k runs in "/work/app"') as string,
    });
  }
  expect(await other.restore('/work/app2', async () => 'restored')).toBe('restored');

  await mark.end();
  expect(await other.restore(workspace, async () => 'restored')).toBe('restored');
});

test('a turn that begins while files are restored waits for the end of the restore', async () => {
  const folder = await temporaryFolder();
  const [one, other] = [new RunningTurns(folder), new RunningTurns(folder)];
  const order: string[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const restoring = other.restore('/work', async () => {
    begin();
    await ended;
    order.push('restored');
  });
  await begun;
  const turn = { workspace: '/work', key: 'k', sessionId: 's', turnId: 't', turn: 1, startedAt: Date.now() };
  const beginning = one.begin(turn).then(async (mark) => {
    order.push('turn');
    await mark.end();
  });
  end();

  await Promise.all([restoring, beginning]);

  expect(order).toEqual(['restored', 'turn']);
});

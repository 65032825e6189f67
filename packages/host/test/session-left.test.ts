import { expect, test } from 'vitest';
import { delegationStage } from './delegation-stage.ts';

test('a session that another owner has starts no agent any more, and writes no notes', async () => {
  const { session, store, pids } = await delegationStage();
  session.rename('before');
  const columns = () => store.columns(session.sessionId);
  await session.notes.write();
  expect(await columns()).toMatchObject({ title: 'before' });
  const prompt = [{ type: 'text', text: 'hello' }] as const;

  const left = session.leave();
  const { answered } = session.turns.send(prompt, { isUnattended: false });

  await expect(answered).rejects.toMatchObject({ data: { code: 'handed-over' } });
  await expect(session.open()).rejects.toMatchObject({ code: 'handed-over' });
  session.rename('after');
  await left;
  await session.notes.write();
  expect(await columns()).toMatchObject({ title: 'before' });
  expect(pids).toHaveLength(1);
});

test('a prompt for a session that another owner has is rejected as handed over, also while its last turn still ends', async () => {
  const { session } = await delegationStage();
  const prompt = [{ type: 'text', text: 'hello' }] as const;
  const running = session.turns.send(prompt, { isUnattended: false, id: 'running' });
  const handedOver = { data: { code: 'handed-over' } };

  const left = session.leave();
  const again = session.turns.rejoin('running', { isUnattended: false });
  const later = session.turns.send(prompt, { isUnattended: false });

  for (const sent of [running, again, later]) await expect(sent?.answered).rejects.toMatchObject(handedOver);
  expect(session.turns.isAwaited).toBe(false);
  await left;
});

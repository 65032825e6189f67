import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../src/index.ts';
import { approve, folder, isPosix, only, open, texts } from './harness.ts';

test.runIf(isPosix)(
  'an agent on the official SDK asks for permission, writes a file and uses a terminal',
  async () => {
    const { connection, events } = await open('official', { policy: approve('all') });
    const cwd = await folder();
    const session = await openSession(connection, { cwd });

    const result = await session.prompt([{ type: 'text', text: `work ${join(cwd, 'a.txt')}` }]);

    expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
    expect(texts(events)).toEqual(['permission: yes', 'line 2: two', 'terminal: from the terminal (0)']);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(only(events, 'permission')).toMatchObject([{ toolCallId: 'edit-1', by: 'flag' }, { by: 'flag' }]);
  },
);

test('an agent on the official SDK is cancelled during a question', async () => {
  const { connection, events, event } = await open('official', {
    policy: approve('ask'),
    interact: { permission: () => new Promise(() => {}) },
  });
  const session = await openSession(connection, { cwd: await folder() });

  const turn = session.prompt([{ type: 'text', text: 'wait' }]);
  await event('update');
  await session.cancel();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  expect(texts(events)).toEqual(['waiting', 'permission: cancelled']);
});

test('an agent on the official SDK loads a session, and replays it in order', async () => {
  const { connection, events } = await open('official');

  const session = await openSession(connection, { cwd: await folder(), resume: { sessionId: 'old' } });

  expect(session.id).toBe('old');
  expect(texts(events)).toEqual(['old 0', 'old 1', 'old 2']);
  expect(only(events, 'update').every((update) => update.replay && !update.late)).toBe(true);
});

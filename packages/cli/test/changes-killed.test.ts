import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, SessionChanges } from '@parley/host';
import { expect, test } from 'vitest';
import { scripted, startParley, temporaryFolder } from './command.ts';

test('a turn whose parley was killed is closed by the next start, and can be undone', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const stateDir = path.join(cwd, '.home');
  await writeFile(path.join(cwd, 'a.txt'), 'before\n');
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'write',
    kind: 'execute',
    status: 'in_progress',
  };
  const agent = scripted({
    prompt: [
      {
        ask: { method: 'fs/write_text_file', params: { path: path.join(cwd, 'a.txt'), content: 'after\n' } },
      },
      { update: call },
      { say: 'working' },
      { until: 'never' },
    ],
  });
  const killed = startParley(['run', 'go', '--approve', 'all', '--', ...agent], { cwd });
  killed.stdout.setEncoding('utf8');
  for await (const text of killed.stdout) if (String(text).includes('working')) break;
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;

  const store = filesStore(path.join(stateDir, 'sessions'));
  const [head] = await store.list();
  const changes = new SessionChanges({
    key: () => head?.key ?? '',
    eventLogs: { store, program: 'test 1' },
    settingsIn: () => ({ stateDir }),
  });

  expect((await changes.list()).turns).toMatchObject([
    { turn: 1, undone: false, files: [{ path: 'a.txt', status: 'modified', reported: true }] },
  ]);
  expect(await changes.undo({})).toMatchObject({ undone: 1, conflicts: [] });
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('before\n');
  expect((await changes.list()).turns[0]?.undone).toBe(true);
});

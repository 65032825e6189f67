import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

test('on a terminal a person is asked, sees what is to be done, and decides', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['run', 'write notes.txt: hello\nwrite more.txt: no'], folder.path);
  await screen.shows('notes.txt (edit)');
  await screen.shows('+ hello');
  await screen.shows('1  ');
  await screen.shows('Enter: no]: ');
  screen.type('1\r');
  await screen.shows('Enter: no]: ');
  screen.type('\r');
  expect(await screen.exited).toBe(0);
  expect(await readFile(path.join(folder.path, 'notes.txt'), 'utf8')).toMatch(/^hello\n?$/);
  await expect(readFile(path.join(folder.path, 'more.txt'))).rejects.toThrow('ENOENT');
});

test('Ctrl-C at the question cancels the turn and ends with status 130', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['run', 'write notes.txt: hello'], folder.path);
  await screen.shows('Enter: no]: ');
  screen.type('\u0003');
  expect(await screen.exited).toBe(130);
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
});

test('a person who takes their time is not silence', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['run', '--idle-timeout', '0.5', 'write notes.txt: hello'], folder.path);
  await screen.shows('Enter: no]: ');
  // Something that lasts longer than the silence which is allowed.
  expect((await parley(['run', '--timeout', '1.5', 'sleep 60'])).status).toBe(124);
  screen.type('y\r');
  expect(await screen.exited).toBe(0);
});

test('what an agent says cannot steer the terminal', async () => {
  await using folder = await temporaryFolder();
  const words = scripted({ prompt: [{ say: 'a\u001b]0;title\u0007\u001b[2Jb\u009b31mc' }] });
  const raw: string[] = [];
  using screen = openScreen(['run', 'go', '--', ...words], folder.path, {
    onData: (data) => raw.push(data),
  });
  expect(await screen.exited).toBe(0);
  expect(raw.join('')).toBe('abc\r\n');
});

test('a question of an agent is asked, and answered', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['run', 'ask: Which colour?'], folder.path);
  await screen.shows('Which colour?');
  await screen.shows('> ');
  screen.type('blue\r');
  expect(await screen.exited).toBe(0);
  expect(screen.text()).toContain('blue');
});

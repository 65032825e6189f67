import { access } from 'node:fs/promises';
import path from 'node:path';
import { createAapClient } from '@parley/aap';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { asking } from './asking.ts';
import { configureAgent, parley, scripted, temporaryFolder } from './command.ts';
import { joinHub, linesOf, startTestHub } from './hub.ts';
import { openScreen } from './screen.ts';

test('a terminal shows the conversation so far, sends prompts, and shows those of other clients; Ctrl-D leaves', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const begun = await parley(['attach', '--new', '--prompt', 'say: **earlier** words', '--format', 'json'], {
    cwd: folder.path,
  });
  const key = String(linesOf(begun)[0]?.['sessionId']);
  await using page = await joinHub(hub.file);
  using screen = openScreen(['attach', key], folder.path);

  await screen.shows('> say: **earlier** words');
  await screen.shows('earlier words');
  await screen.shows('\n> ');
  screen.type('say: from here\r');
  await screen.shows('from here\n');
  await screen.shows('\n> ');
  screen.type('a draft');
  await screen.shows('a draft');
  await page.connection.request('session/prompt', {
    sessionId: key,
    prompt: [{ type: 'text', text: 'say: from there' }],
  });
  await screen.shows('> say: from there');
  await screen.shows('(hub, page)');
  await screen.shows('from there');
  await screen.shows('> a draft');
  screen.type('\u0015');
  const asked = page.connection.request('session/prompt', {
    sessionId: key,
    prompt: [{ type: 'text', text: 'ask: Which colour?' }],
  });
  const { requestId } = await page.question();
  const answer = { kind: 'form', action: 'accept', content: { answer: 'blue' } };
  await page.connection.request(hubMethods.answer, { sessionId: key, requestId, answer });
  await screen.shows('question: Which colour?: blue');
  await asked;
  await screen.shows('\n> ');
  // Leaving waits for no turn: it continues, and its client receives its end.
  const long = page.connection.request('session/prompt', {
    sessionId: key,
    prompt: [{ type: 'text', text: 'say: begun\nsleep 600' }],
  });
  await screen.shows('begun');
  screen.type('\u0004');

  expect(await screen.exited).toBe(0);
  await page.connection.notify('session/cancel', { sessionId: key });
  expect(await long).toMatchObject({ stopReason: 'cancelled' });
  // The messages of the agent are laid out, also those of before.
  expect(screen.text().match(/earlier words/gu)).toHaveLength(1);
});

test.each(['SIGHUP', 'SIGTERM'])('a terminal that %s ends leaves the turn running', async (name) => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path);
  using screen = openScreen(['attach', '--new'], folder.path);
  await screen.shows('\n> ');
  screen.type('say: begun\\\rsleep 1\\\rsay: survived\r');
  await screen.shows('begun\n');

  screen.signal(name);
  await screen.exited;

  // A prompt waits for the turn before it.
  const next = await parley(['attach', '--prompt', 'say: next', '--format', 'json'], { cwd: folder.path });
  const key = String(linesOf(next)[0]?.['sessionId']);
  const shown = await parley(['sessions', 'show', key], { cwd: folder.path });
  expect(shown.stdout).toContain('survived');
  expect(shown.stdout).not.toContain('(cancelled)');
});

test('an answer from another client closes the question in the terminal, which shows who answered', async () => {
  await using folder = await temporaryFolder();
  await configureAgent(folder.path, 'asking', { words: scripted(asking), env: {} });
  await using hub = await startTestHub(folder.path);
  await using page = await joinHub(hub.file);
  using first = openScreen(['attach', '--new', '-a', 'asking'], folder.path);
  await first.shows('\n> ');
  first.type('go\r');
  await first.shows('Enter: no]: ');
  const { key, requestId } = await page.question();
  using second = openScreen(['attach', key], folder.path);
  await second.shows('Enter: no]: ');

  await page.connection.request(hubMethods.answer, {
    sessionId: key,
    requestId,
    answer: { kind: 'option', optionId: 'yes' },
  });
  await first.shows('answered by hub in page: Yes');
  await second.shows('answered by hub in page: Yes');
  await first.shows('\n> ');
  first.type('go\r');
  await first.shows('Enter: no]: ');
  await second.shows('Enter: no]: ');
  first.type('1');
  await second.shows('answered by hub in parley attach');
  await first.shows('\n> ');
  first.type('\u0004');
  second.type('\u0004');

  expect(await first.exited).toBe(0);
  expect(await second.exited).toBe(0);

  // An application's session is asked about there, and only watched here.
  const application = createAapClient({ baseUrl: `${hub.file.url}/aap`, apiKey: hub.file.token });
  const { sessionId } = await application.createSession({
    agent: { name: 'asking', tools: [{ name: 'execute' }] },
  });
  const turn = await application.postTurn(sessionId, { messages: [{ role: 'user', content: 'go' }] });
  using watching = openScreen(['attach', sessionId], folder.path);
  await watching.shows('(waiting for the application)');

  expect(turn).toMatchObject({ stopReason: 'tool_use' });
});

test('Ctrl-C cancels the turn, and the session continues, with /changes and /undo', async () => {
  await using folder = await temporaryFolder();
  await using _hub = await startTestHub(folder.path);
  using screen = openScreen(['attach', '--new'], folder.path);
  await screen.shows('\n> ');
  screen.type('say: before\nsleep 600\r'.replace('\n', '; '));
  await screen.shows('before');
  await screen.shows('\n> ');
  screen.type('sleep 600\r');
  await screen.shows('sleep');
  screen.type('\u0003');
  await screen.shows('(cancelled)');
  await screen.shows('\n> ');
  screen.type('write made.txt: x\r');
  await screen.shows('Enter: no]: ');
  screen.type('y\r');
  await screen.shows('Changed 1 file, +1 −0');
  await screen.shows('\n> ');
  screen.type('/changes\r');
  await screen.shows('A  +1  −0  made.txt');
  screen.type('/undo\r');
  await screen.shows('Undo it? [y/N]');
  screen.type('y\r');
  await screen.shows('Undid turn 3: 1 file');
  await screen.shows('\n> ');
  screen.type('\u0004');

  expect(await screen.exited).toBe(0);
  await expect(access(path.join(folder.path, 'made.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
});

import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { asking } from './asking.ts';
import { configureAgent, parley, scripted, temporaryFolder } from './command.ts';
import { joinHub, linesOf, startTestHub } from './hub.ts';
import { openScreen } from './screen.ts';

test('a terminal shows the conversation so far, sends prompts, and shows those of other clients; Ctrl-D leaves', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const begun = await parley(['attach', '--new', '--prompt', 'say: earlier words', '--format', 'json'], {
    cwd: folder.path,
  });
  const key = String(linesOf(begun)[0]?.['sessionId']);
  await using page = await joinHub(hub.file);
  using screen = openScreen(['attach', key], folder.path);

  await screen.shows('> say: earlier words');
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
  screen.type('\u0015\u0004');

  expect(await screen.exited).toBe(0);
  expect(screen.text().match(/earlier words/gu)).toHaveLength(3);
});

test('the answer of another client closes the question of a terminal, which says who answered', async () => {
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
});

test('Ctrl-C cancels the turn, and the session continues', async () => {
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
  screen.type('\u0004');

  expect(await screen.exited).toBe(0);
});

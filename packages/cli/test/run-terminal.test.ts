import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder } from './command.ts';
import { openScreen } from './screen.ts';

test('on a terminal, the user sees the action and decides', async () => {
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

const options = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    optionId: `o${String(index)}`,
    name: `Option ${String(index)}`,
    kind: index === 0 ? 'reject_once' : 'allow_once',
  }));

const cancelledOutcome = { outcome: { outcome: 'cancelled' } };

test.each([
  [
    'a permission that one key answers',
    { method: 'session/request_permission', params: { toolCall: { toolCallId: 'c' }, options: options(2) } },
    'Enter: no]: ',
    cancelledOutcome,
  ],
  [
    'a permission that a line answers',
    { method: 'session/request_permission', params: { toolCall: { toolCallId: 'c' }, options: options(12) } },
    'Enter: no]: ',
    cancelledOutcome,
  ],
  [
    'a form',
    {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Which one?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
    '> ',
    { action: 'cancel' },
  ],
  [
    'an address to be opened',
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', elicitationId: 'e', url: 'https://example.com/in' },
    },
    'open it? [y/N]: ',
    { action: 'cancel' },
  ],
])(
  'Ctrl-C at %s cancels the turn, then answers the question cancelled, and ends with status 130',
  async (_what, ask, shown, expected) => {
    await using folder = await temporaryFolder();
    const log = path.join(folder.path, 'received.log');
    // This agent takes any answer, and goes on to its end at once.
    const words = scripted({ prompt: [{ ask }, { say: 'went on' }] });
    using screen = openScreen(['run', 'go', '--', ...words], folder.path, { env: { SCRIPTED_LOG: log } });
    await screen.shows(shown);
    screen.type('\u0003');
    expect(await screen.exited).toBe(130);
    const received = (await readFile(log, 'utf8')).trim().split('\n');
    const sent = received.map((line) => JSON.parse(line) as { method?: string; result?: object });
    const from = sent.findIndex(({ method }) => method === 'session/cancel');
    expect(sent.slice(from)).toMatchObject([{ method: 'session/cancel' }, { result: expected }]);
    expect(sent.slice(0, from).filter(({ result }) => result !== undefined)).toEqual([]);
  },
);

test.each([
  ['a way to sign in', [{ id: 'login', name: 'Log in' }], '', 'do not sign in]: '],
  [
    'a secret to sign in with',
    [{ id: 'key', name: 'A key', type: 'env_var', vars: [{ name: 'SOME_KEY' }] }],
    '1\r',
    'is not shown',
  ],
])('Ctrl-C at the question for %s ends with status 130', async (_what, authMethods, keys, shown) => {
  await using folder = await temporaryFolder();
  const words = scripted({
    initialize: { authMethods },
    errors: { 'session/new': { code: -32000, message: 'Authentication required' } },
  });
  using screen = openScreen(['run', 'go', '--', ...words], folder.path);
  await screen.shows('do not sign in]: ');
  screen.type(keys);
  if (keys !== '') await screen.shows(shown);
  screen.type('\u0003');
  expect(await screen.exited).toBe(130);
  expect(screen.text()).toContain('interrupted');
});

test('the time a user takes is not silence', async () => {
  await using folder = await temporaryFolder();
  using screen = openScreen(['run', '--idle-timeout', '3', 'write notes.txt: hello'], folder.path);
  await screen.shows('Enter: no]: ');
  // Something that lasts longer than the silence which is allowed.
  expect((await parley(['run', '--timeout', '5', 'sleep 60'])).status).toBe(124);
  screen.type('y\r');
  expect(await screen.exited).toBe(0);
});

test('text from an agent cannot control the terminal', async () => {
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

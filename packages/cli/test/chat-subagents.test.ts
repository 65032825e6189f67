import { subagentAgent } from '@parley/conformance';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { configureAgent, parley, temporaryFolder } from './command.ts';
import { joinHub, startAttach, startTestHub } from './hub.ts';
import { openScreen } from './screen.ts';

test('in chat, each sub-agent is a line; /subagents lists them under their parents and expands one', async () => {
  await using folder = await temporaryFolder();
  const { status, stdout, stderr } = await parley(['chat', '--', ...subagentAgent('nested')], {
    cwd: folder.path,
    input: 'go\n/subagents\n/subagents 2\n/subagents 3\n/exit\n',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('▸ 1 Sub-agent "Lead" (running) · /subagents 1 expands it\n');
  expect(stdout).toContain('▸ 2 Sub-agent "Helper" (idle: end_turn)\n');
  expect(stdout).toContain(
    '▸ 1 Sub-agent "Lead" (idle: end_turn)\n  ▸ 2 Sub-agent "Helper" (idle: end_turn)\n',
  );
  expect(stdout).toContain('▾ 2 Sub-agent "Helper" (idle: end_turn)\n    deep words\n');
  expect(stdout).toContain('no sub-agent 3; /subagents lists them\n');
  expect(stderr).not.toContain('sub-agent "');
});

test.skipIf(process.platform === 'win32')(
  'attach: text that another client steers is a line of its own, and shown with what became of it',
  async () => {
    await using folder = await temporaryFolder();
    await configureAgent(folder.path, 'steered', { words: subagentAgent('steering'), env: {} });
    await using hub = await startTestHub(folder.path);
    await using page = await joinHub(hub.file);
    const { connection } = page;
    const opened = await connection.request('session/new', {
      cwd: folder.path,
      mcpServers: [],
      _meta: { 'parley/agent': 'steered' },
    });
    const { sessionId: key } = opened as { readonly sessionId: string };
    const lines = startAttach(folder.path, [key, '--from', '1']);
    using screen = openScreen(['attach', key], folder.path);
    await screen.shows('\n> ');
    const turn = connection.request('session/prompt', { sessionId: key, prompt: [text('wait')] });
    await screen.shows('> wait');
    const outcomes = ['now', 'lost', 'late'].map(async (words) => {
      const { outcome } = (await connection.request(hubMethods.steer, {
        sessionId: key,
        prompt: [text(words)],
      })) as { readonly outcome: string };
      return outcome;
    });
    expect(await Promise.all(outcomes)).toEqual(['steered', 'unknown', 'queued']);

    await screen.shows('> now');
    await screen.shows('sent to the running turn)');
    await screen.shows('> lost');
    await screen.shows('it is unknown whether the agent received this; it is not sent again)');
    expect(screen.text()).not.toContain('> late');
    await connection.notify('session/cancel', { sessionId: key });
    await turn;
    screen.type('\u0004');
    await connection.request('session/close', { sessionId: key });
    await lines.finished;
    const steering = lines.lines.filter(({ type }) => type === 'steering');
    expect(steering.map(({ turn: number, outcome, content }) => [number, outcome, content])).toEqual([
      [1, 'steered', [text('now')]],
      [1, 'unknown', [text('lost')]],
      [1, 'queued', [text('late')]],
    ]);
    expect(steering[0]).toMatchObject({ client: { name: 'page' }, token: 'hub' });
  },
);

test.skipIf(process.platform === 'win32')(
  'chat: while a turn runs, Enter sends a line into it, and Tab queues one',
  async () => {
    await using folder = await temporaryFolder();
    using screen = openScreen(['chat', '--', ...subagentAgent('steering')], folder.path);
    await screen.shows('\n> ');
    screen.type('wait\r');
    await screen.shows('Enter sends a line into the turn, Tab queues it');
    screen.type('now\r');
    await screen.shows('> now\n');
    await screen.shows('(sent to the running turn)');
    screen.type('lost\r');
    await screen.shows('> lost\n');
    await screen.shows('(it is unknown whether the agent received this; it is not sent again)');
    screen.type('later\t');
    await screen.shows('(queued: sent when this turn ends; /queue edits it)');
    expect(screen.text()).toContain('heard now');
    expect(screen.text()).not.toContain('heard later');
    screen.type('\u0003');
    await screen.shows('(cancelled)');
    screen.type('/exit\r');
  },
);

test.skipIf(process.platform === 'win32').each([
  ['chat', ['--', ...subagentAgent('cancel')]],
  ['attach', ['--new', '--agent', 'cancel']],
])(
  'in %s, sub-agents that go on after the turn are stopped one by one, or all with Ctrl-C',
  async (command, words) => {
    await using folder = await temporaryFolder();
    await configureAgent(folder.path, 'cancel', { words: subagentAgent('cancel'), env: {} });
    await using _hub = command === 'attach' ? await startTestHub(folder.path) : undefined;
    using screen = openScreen([command, ...words], folder.path);
    await screen.shows('\n> ');
    screen.type('go\r');
    await screen.shows('sub-agents work, Ctrl-C stops them');
    screen.type('/subagents stop 7\r');
    await screen.shows('no sub-agent 7');
    screen.type('/subagents stop 2\r');
    await screen.shows('▸ 2 Sub-agent "grandchild" (idle: cancelled)');
    screen.type('/subagents stop 2\r');
    await screen.shows('does not allow cancelling the sub-agent "grandchild"');
    screen.type('\u0003');
    await screen.shows('(cancelling the sub-agents)');
    await screen.shows('▸ 1 Sub-agent "kid" (idle: cancelled)');
    screen.type('\u0003');
    await screen.shows('Press Ctrl-C again to leave.');
    screen.type('\u0003');
    expect(await screen.exited).toBe(0);
  },
);

function text(words: string): object {
  return { type: 'text', text: words };
}

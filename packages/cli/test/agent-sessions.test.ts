import { expect, test } from 'vitest';
import { parley, scripted, temporaryFolder, toLines } from './command.ts';

const all = ['--agent', 'parley'];

/** A session of our own agent, of which nothing is kept here. */
async function agentSession(cwd: string): Promise<string> {
  const { stdout } = await parley(['run', '--format', 'json', 'say: hello there'], { cwd });
  await parley(['sessions', 'delete', '--all', '--yes'], { cwd });
  return String(toLines(stdout).find(({ type }) => type === 'session')?.['sessionId']);
}

async function listed(cwd: string): Promise<readonly { readonly sessionId: string }[]> {
  const { stdout } = await parley(['sessions', 'list', ...all, '--json'], { cwd });
  const { sessions } = JSON.parse(stdout) as { readonly sessions: readonly { readonly sessionId: string }[] };
  return sessions;
}

test("an agent's stored sessions are listed, and loaded into an event log by a prefix of the id", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const sessionId = await agentSession(cwd);
  expect(await listed(cwd)).toMatchObject([{ sessionId, cwd }]);
  const table = await parley(['sessions', 'list', ...all, '--cwd', '.'], { cwd });
  expect(table.stdout).toMatch(/^ID +LAST +STATE +FOLDER +TITLE\nsess_\S+ +\S.* saved /);
  const loaded = await parley(['sessions', 'load', ...all, sessionId.slice(0, 12)], { cwd });
  expect(loaded).toMatchObject({ status: 0, stderr: '' });
  expect(loaded.stdout).toContain('> say: hello there\n\nhello there\n');
  // Loaded again, it is not shown twice, and is one session here.
  await parley(['sessions', 'load', ...all, sessionId], { cwd });
  const again = await parley(['sessions', 'show', sessionId], { cwd });
  expect(again.stdout.match(/^hello there$/gm)).toHaveLength(1);
});

test('a fork has the conversation of its session, and continues separately; delete removes it at the agent', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const sessionId = await agentSession(cwd);
  const fork = await parley(['sessions', 'fork', ...all, sessionId], { cwd });
  expect(fork).toMatchObject({ status: 0, stderr: '' });
  const forked = fork.stdout.trim();
  expect(forked).not.toBe(sessionId);
  expect(await parley(['run', '--session', forked, 'say: on'], { cwd })).toMatchObject({ status: 0 });
  const unasked = await parley(['sessions', 'delete', ...all, forked], { cwd });
  expect(unasked.stderr).toContain('--yes');
  expect(await listed(cwd)).toHaveLength(2);
  const deleted = await parley(['sessions', 'delete', ...all, forked, '--yes'], { cwd });
  expect(deleted).toMatchObject({ status: 0, stderr: `parley: deleted ${forked}\n` });
  expect(await listed(cwd)).toMatchObject([{ sessionId }]);
});

test('rename and archive reach the agent; archived sessions are listed apart, and can be found by their ids', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const sessionId = await agentSession(cwd);
  const short = sessionId.slice(0, 12);
  const renamed = await parley(['sessions', 'rename', ...all, short, ' Greeting '], { cwd });
  expect(renamed).toMatchObject({ status: 0, stderr: `parley: ${sessionId} is now Greeting\n` });
  expect(await listed(cwd)).toMatchObject([{ sessionId, title: 'Greeting' }]);
  const archived = await parley(['sessions', 'archive', ...all, short], { cwd });
  expect(archived).toMatchObject({ status: 0, stderr: `parley: archived ${sessionId}\n` });
  expect(await listed(cwd)).toEqual([]);
  const others = await parley(['sessions', 'list', ...all, '--archived'], { cwd });
  expect(others.stdout).toContain('Greeting');
  const back = await parley(['sessions', 'unarchive', ...all, short], { cwd });
  expect(back).toMatchObject({ status: 0, stderr: `parley: unarchived ${sessionId}\n` });
  expect(await listed(cwd)).toMatchObject([{ sessionId }]);
});

test('--archived without an agent is wrong usage', async () => {
  expect(await parley(['sessions', 'list', '--archived'])).toMatchObject({ status: 2 });
});

test.each([
  [['list'], 'does not list its sessions'],
  [['rename', 'x', 'title'], 'does not store titles'],
  [['archive', 'x'], 'has no archive'],
  [['unarchive', 'x'], 'has no archive'],
  [['load', 'x'], 'cannot load its sessions'],
  [['fork', 'x'], 'does not fork its sessions'],
  [['delete', 'x', '--yes'], 'does not delete its sessions'],
])('an agent that cannot is named: %j', async (words, message) => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await parley(['sessions', ...words, '--', ...scripted({ log: 'started\n' })], {
    cwd: folder.path,
  });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('sessions of any agent are listed, up to --limit', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const script = {
    initialize: { agentCapabilities: { sessionCapabilities: { list: {} } } },
    sessions: ['a', 'b', 'c'].map((sessionId) => ({ sessionId, cwd, title: `Talk\n${sessionId}` })),
  };
  const { stdout, stderr } = await parley(['sessions', 'list', '--limit', '2', '--', ...scripted(script)], {
    cwd,
  });
  expect(stdout).toMatch(/^a .* Talk a\nb .* Talk b\n$/m);
  expect(stderr).toContain('there are more');
});

test('load and fork require --agent', async () => {
  await using folder = await temporaryFolder();
  for (const command of ['load', 'fork']) {
    const { status, stderr } = await parley(['sessions', command, 'x'], { cwd: folder.path });
    expect(status).toBe(2);
    expect(stderr).toContain('--agent NAME');
  }
});

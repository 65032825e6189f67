import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { delegatingAgent, faultyAgent, subagentAgent } from '@parley/conformance';
import { expect, test } from 'vitest';
import {
  finish,
  isRunning,
  parley,
  scripted,
  seen,
  startParley,
  temporaryFolder,
  toLines,
  type Line,
} from './command.ts';
import { linesOf, startTestHub } from './hub.ts';
import { testRepository } from './repository.ts';

const wait = { timeout: 120_000, interval: 20 };

const members = {
  echo: faultyAgent('none'),
  dies: faultyAgent('exit-in-prompt'),
  asks: subagentAgent('background'),
  lead: delegatingAgent(),
};

/** The user's configuration of a folder: the agents of the team. */
async function configure(folder: string, more: object = {}): Promise<void> {
  const home = path.join(folder, '.home');
  await mkdir(home, { recursive: true });
  const agents = Object.fromEntries(
    Object.entries(members).map(([name, [command, ...args]]) => [name, { command, args }]),
  );
  await writeFile(path.join(home, 'config.json'), JSON.stringify({ agents, ...more }));
}

/** What the agent that delegates said: one result for each call. */
function resultsIn(lines: readonly Line[]): readonly Record<string, unknown>[] {
  const said = lines.flatMap(({ type, sessionId, update }) => {
    const { sessionUpdate, content } = (update ?? {}) as {
      sessionUpdate?: string;
      content?: { text: string };
    };
    const isOwn = type === 'update' && sessionId === undefined && sessionUpdate === 'agent_message_chunk';
    return isOwn ? [content?.text ?? ''] : [];
  });
  return said
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('in a run, a session delegates to agents of the team, which are shown as sub-agents and listed under it', async () => {
  await using folder = await temporaryFolder();
  await configure(folder.path);
  const calls = [
    ['list_agents'],
    ['delegate', { agent: 'echo', prompt: 'first' }],
    ['wait', { id: 1 }],
    ['send', { id: 1, prompt: 'second' }],
    ['wait', { id: 1 }],
    ['delegate', { agent: 'dies', prompt: 'go' }],
    ['wait', { id: 5 }],
    ['delegate', { agent: 'stranger', prompt: 'go' }],
    ['delegate', { agent: 'asks', prompt: 'go' }],
    ['wait', { id: 8 }],
  ];
  const words = ['run', '--team', 'echo,dies,asks', '--format', 'json', JSON.stringify(calls)];
  const run = await parley([...words, '--', ...delegatingAgent()], { cwd: folder.path });
  const lines = toLines(run.stdout);
  const results = resultsIn(lines);

  const id = results[1]?.['id'];
  expect(results).toMatchObject([
    { agents: [{ name: 'echo' }, { name: 'dies' }, { name: 'asks' }], maxRunning: 4, maxTotal: 16 },
    { agent: 'echo', state: 'running' },
    { id, state: 'idle', stopReason: 'end_turn', message: 'first' },
    { id, state: 'running' },
    { id, state: 'idle', message: 'second' },
    { agent: 'dies', state: 'running' },
    { agent: 'dies', state: 'failed', error: expect.stringMatching(/status 3/u) },
    { refused: expect.stringMatching(/no agent "stranger"/u) },
    { agent: 'asks', state: 'running' },
    { agent: 'asks', state: 'idle' },
  ]);
  const about = lines.filter(({ type, sessionId }) => type === 'update' && sessionId === id);
  expect(about.map(({ update }) => kindOf(update))).toEqual([
    'session_message',
    'agent_message_chunk',
    'session_message',
    'agent_message_chunk',
  ]);
  const changed = lines.filter(({ update }) => kindOf(update) === 'subagent_update');
  expect(changed.map(({ sessionId }) => sessionId).filter((each) => each !== undefined)).toEqual([]);
  expect(changed[0]).toMatchObject({ update: { sessionId: id, title: 'echo', state: { state: 'running' } } });
  expect(changed[1]).toMatchObject({ update: { state: { state: 'idle', stopReason: 'end_turn' } } });
  // A question of a delegate follows the policy of the run.
  expect(lines.find(({ type }) => type === 'permission')).toMatchObject({
    sessionId: results[8]?.['id'],
    by: 'nobody',
  });
  expect(run.status).toBe(3);

  const listed = await parley(['sessions', 'list', '--json'], { cwd: folder.path });
  const { sessions } = JSON.parse(listed.stdout) as { sessions: { id: string; parent?: string }[] };
  const parent = sessions.find((session) => session.parent === undefined);
  expect(new Set(sessions.flatMap((session) => (session.parent === parent?.id ? [session.id] : [])))).toEqual(
    new Set([results[1], results[5], results[8]].map((result) => result?.['id'])),
  );
  const table = await parley(['sessions', 'list'], { cwd: folder.path });
  expect(table.stdout.match(/^└ /gmu)).toHaveLength(3);
  const shown = await parley(['sessions', 'show', String(parent?.id)], { cwd: folder.path });
  expect(shown.stdout).toMatch(/echo[\s\S]*second/u);
});

test('a delegate works in a new or a named worktree, and its parent receives the path', async () => {
  const delegate = (file: string, worktree: unknown): readonly unknown[] => [
    'delegate',
    { agent: 'parley', prompt: `write ${file}: hello`, worktree },
  ];
  const words = (calls: readonly unknown[]): readonly string[] => [
    'run',
    '--team=parley',
    '--approve=all',
    '--format=json',
    JSON.stringify(calls),
    '--',
    ...delegatingAgent(),
  ];
  await using folder = await temporaryFolder();
  const outside = await parley(words([delegate('first.txt', true), ['wait', { id: 0 }]]), {
    cwd: folder.path,
  });
  expect(resultsIn(toLines(outside.stdout))[1]).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/repository/u),
  });

  await using repo = await testRepository();
  const calls = [
    delegate('first.txt', true),
    ['wait', { id: 0 }],
    delegate('second.txt', 'named'),
    ['wait', { id: 2 }],
    delegate('third.txt', 5),
  ];
  const finished = await repo.parley(words(calls));
  const [, first, , second, refused] = resultsIn(toLines(finished.stdout));

  expect(refused).toMatchObject({ refused: expect.stringMatching(/"worktree" must be/u) });
  expect(second).toMatchObject({ state: 'idle', worktree: { name: 'named' } });
  for (const [result, file] of [
    [first, 'first.txt'],
    [second, 'second.txt'],
  ] as const) {
    const { path: place, branch } = (result?.['worktree'] ?? {}) as { path: string; branch: string };
    expect(await readFile(path.join(place, file), 'utf8')).toContain('hello');
    expect(branch).not.toBe('');
    await expect(readFile(path.join(repo.path, file))).rejects.toThrow('ENOENT');
  }
  expect(first?.['worktree']).not.toEqual(second?.['worktree']);
});

test('a team comes from --team or the configuration, and must name known agents', async () => {
  await using folder = await temporaryFolder();
  await configure(folder.path, { team: { agents: ['echo'], maxTotal: 2 } });
  const run = (...words: readonly string[]) =>
    parley(['run', '--format', 'json', ...words, '[["list_agents"]]', '--', ...delegatingAgent()], {
      cwd: folder.path,
    });

  expect(resultsIn(toLines((await run()).stdout))).toMatchObject([
    { agents: [{ name: 'echo' }], maxTotal: 2 },
  ]);
  const typed = await run('--team', 'dies,parley');
  expect(resultsIn(toLines(typed.stdout))).toMatchObject([
    { agents: [{ name: 'dies' }, { name: 'parley' }] },
  ]);
  expect(await run('--team', 'stranger')).toMatchObject({ status: 2 });
  expect(await run('--team', 'echo,')).toMatchObject({ status: 2 });
});

test('with attach --new, a session of the hub delegates, and its delegates are not offered as sessions', async () => {
  await using folder = await temporaryFolder();
  await configure(folder.path);
  await using _hub = await startTestHub(folder.path);
  const calls = [
    ['delegate', { agent: 'echo', prompt: 'first' }],
    ['wait', { id: 0 }],
  ];
  const begin = ['attach', '--new', '--agent', 'lead', '--team', 'echo', '--format', 'json'];

  const first = await parley([...begin, '--prompt', JSON.stringify(calls)], { cwd: folder.path });
  const lines = linesOf(first);
  const [{ id } = {}, answer] = resultsIn(lines);
  const again = await parley(['attach', '--prompt', 'hello', '--format', 'quiet'], { cwd: folder.path });
  const stranger = await parley(['attach', '--new', '--team', 'stranger', '--prompt', 'x'], {
    cwd: folder.path,
  });

  expect(first.status).toBe(0);
  expect(answer).toMatchObject({ id, agent: 'echo', state: 'idle', message: 'first' });
  expect(lines.filter(({ sessionId, type }) => type === 'update' && sessionId === id)).toHaveLength(2);
  expect(again).toMatchObject({ status: 0, stdout: 'hello\n' });
  expect(stranger.status).not.toBe(0);
  expect(stranger.stderr).toMatch(/team/u);
});

test.runIf(process.platform === 'linux')(
  'no process of a delegate is left after Ctrl-C, TERM or the kill of the command',
  { timeout: 240_000 },
  async () => {
    /** It ignores the end of its input and its cancel, and has a child; the ids of both are in the file `ids`. */
    const script = JSON.stringify({ deaf: true, prompt: [{ say: 'working' }, { until: 'never' }] });
    const line = 'sleep 100 & echo $! $$ >> ids; exec "$0" "$1" "$2"';
    const [command, ...args] = ['sh', '-c', line, ...scripted({}).slice(0, 2), script];
    const delegate = ['delegate', { agent: 'deaf', prompt: 'go' }];
    const calls = JSON.stringify([delegate, delegate, ['stay']]);
    const idsLeft = async (signal: NodeJS.Signals): Promise<readonly number[]> => {
      await using folder = await temporaryFolder();
      await configure(folder.path, { agents: { deaf: { command, args } } });
      const words = ['run', '--team', 'deaf', '--format', 'json', calls, '--', ...delegatingAgent()];
      const child = startParley(words, { cwd: folder.path });
      const finished = finish(child);
      await seen(child.stdout, '"working"');
      let ids: readonly number[] = [];
      await expect
        .poll(async () => {
          const text = await readFile(path.join(folder.path, 'ids'), 'utf8');
          ids = text.split(/\s+/u).filter(Boolean).map(Number);
          return ids.filter(isRunning).length;
        }, wait)
        .toBe(4);
      child.kill(signal);
      await finished;
      // A watchdog ends what a killed command has left.
      if (signal === 'SIGKILL') await expect.poll(() => ids.filter(isRunning), wait).toEqual([]);
      return ids.filter(isRunning);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
    expect(await Promise.all(signals.map(idsLeft))).toEqual([[], [], []]);
  },
);

function kindOf(update: unknown): string | undefined {
  return (update as { sessionUpdate?: string } | undefined)?.sessionUpdate;
}

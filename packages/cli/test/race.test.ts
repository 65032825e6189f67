import { execFileSync } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { expect, test } from 'vitest';
import { finish, scripted, seen, startParley } from './command.ts';
import { testRepository, type TestRepository } from './repository.ts';

interface Race {
  readonly type: string;
  readonly id: string;
  readonly runners: readonly {
    readonly id: string;
    readonly agent: string;
    readonly worktree: string;
    readonly path: string;
    readonly exitCode: number;
    readonly seconds: number;
    readonly [field: string]: unknown;
  }[];
}

function raceIn(stdout: string): Race {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Race;
}

async function configure(repo: TestRepository, agents: Readonly<Record<string, object>>): Promise<void> {
  const entries = Object.entries(agents).map(([name, script]) => {
    const [command, ...args] = scripted(script);
    return [name, { command, args }];
  });
  await mkdir(repo.home, { recursive: true });
  await writeFile(
    path.join(repo.home, 'config.json'),
    JSON.stringify({ agents: Object.fromEntries(entries) }),
  );
}

const engine = await findSandboxEngine({ projects: [] });

test.skipIf(engine.name === 'none')(
  'the check of a runner has the sandbox of its agent, because it runs files that the agent wrote',
  async () => {
    await using repo = await testRepository();
    const outside = path.join(homedir(), `parley-check-${String(process.pid)}`);
    const line = `run echo "touch ${outside}; ls -d /run/parley/stage && echo done >done" >check.sh`;

    const { stdout } = await repo.parley(
      ['race', line, '-a', 'parley', '--approve', 'all', '--sandbox', 'workspace', '--json'].concat(
        '--check',
        'sh check.sh',
      ),
    );

    const [runner] = raceIn(stdout).runners;
    expect(runner).toMatchObject({ stopReason: 'end_turn', check: { exitCode: 0 } });
    expect(await readFile(path.join(runner?.path ?? '', 'done'), 'utf8')).toBe('done\n');
    await expect(access(outside)).rejects.toThrow('ENOENT');
  },
);

test('a race runs each agent in a worktree of its own, checks them, and leaves the checkout alone until one is adopted', async () => {
  await using repo = await testRepository();

  const { status, stdout } = await repo.parley(
    'race,write new.txt: new,-a,parley,-a,parley,--approve,edits,--check,test -f new.txt,--json'.split(','),
  );

  expect(status).toBe(0);
  const { type, id, runners } = raceIn(stdout);
  expect(type).toBe('race');
  expect(runners.map((runner) => runner.id)).toEqual([`${id}-parley`, `${id}-parley-2`]);
  for (const runner of runners) {
    expect(runner).toMatchObject({
      agent: 'parley',
      worktree: runner.id,
      exitCode: 0,
      stopReason: 'end_turn',
      usage: expect.any(Object) as object,
      files: 1,
      additions: 1,
      deletions: 0,
      check: { exitCode: 0, seconds: expect.any(Number) as number },
    });
  }
  expect(await repo.git('status', '--porcelain')).toBe('');
  const listed = await repo.worktrees();
  expect(listed.map(({ name, state }) => `${String(name)} ${String(state)}`).toSorted()).toEqual(
    runners.map(({ worktree }) => `${worktree} changed`),
  );
  for (const { race } of listed) {
    expect(race).toMatchObject({
      id,
      agent: 'parley',
      prompt: 'write new.txt: new',
      command: 'test -f new.txt',
      state: 'ended',
      exitCode: 0,
      stopReason: 'end_turn',
      files: 1,
      additions: 1,
      check: { exitCode: 0, output: '' },
    });
  }
  const sessions = JSON.parse((await repo.parley(['sessions', 'list', '--json'])).stdout) as {
    sessions: { worktree: { name: string } }[];
  };
  expect(sessions.sessions.map(({ worktree }) => worktree.name).toSorted()).toEqual(
    runners.map(({ worktree }) => worktree),
  );

  const adopted = await repo.parley(['race', 'adopt', runners[1]?.id ?? ''], { cwd: repo.home });
  expect(adopted.status).toBe(0);
  expect(await readFile(path.join(repo.path, 'new.txt'), 'utf8')).toBe('new');
  expect(await repo.worktrees()).toHaveLength(2);
});

test('without --json there is a table, and the status is 1 when no runner ended with 0', async () => {
  await using repo = await testRepository();
  const { status, stdout } = await repo.parley(['race', 'write a.txt: x', '-a', 'parley', '-a', 'parley']);

  // Writing needs a user, and a race asks none.
  expect(status).toBe(1);
  expect(stdout).toMatch(/RUNNER +AGENT +RESULT/u);
  expect(stdout).toContain('parley race adopt');
});

test('a runner that removes its own worktree fails alone, and the race continues', async () => {
  await using repo = await testRepository();
  const prompt = 'write new.txt: new\nrun case "$PWD" in *-2) rm -rf "$PWD";; esac';
  const { status, stdout, stderr } = await repo.parley(
    ['race', prompt].concat('-a,parley,-a,parley,--approve,all,--check,test -f new.txt,--json'.split(',')),
  );

  expect(status).toBe(0);
  expect(raceIn(stdout).runners).toMatchObject([
    { agent: 'parley', files: 1, check: { exitCode: 0 } },
    { agent: 'parley', check: { exitCode: 1 } },
  ]);
  expect(stderr).toContain('the check did not start');
});

test.each([
  ['no agent', ['race', 'x'], 'expected at least one -a AGENT'],
  ['an unknown agent', ['race', 'x', '-a', 'parley', '-a', 'nothing'], 'no agent "nothing"'],
  ['no prompt', ['race', '-a', 'parley'], "missing required argument 'PROMPT'"],
  ['an unknown runner', ['race', 'adopt', 'nothing'], 'no worktree "nothing"'],
])('%s is wrong usage, and no worktree is made', async (_name, words, message) => {
  await using repo = await testRepository();
  const { status, stderr } = await repo.parley(words);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message) as string]);
  expect(await repo.worktrees()).toEqual([]);
});

test('a race requires a repository', async () => {
  await using repo = await testRepository();
  await mkdir(repo.home, { recursive: true });
  const { status, stderr } = await repo.parley(['race', 'x', '-a', 'parley'], { cwd: repo.home });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^parley: \/.* is in no git working tree/u) as string,
  ]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends all runners and their checks with status %i, and their worktrees stay',
  async (signal, status) => {
    await using repo = await testRepository();
    const mark = `parley-race-${String(process.pid)}`;
    const prompt = 'write new.txt: new\nsay: begun';
    const child = startParley(
      [
        'race',
        prompt,
        '-a',
        'parley',
        '-a',
        'parley',
        '--approve',
        'edits',
        '--check',
        `echo > ../checking; exec sleep 600 # ${mark}`,
      ],
      { cwd: repo.path, env: { PARLEY_HOME: repo.home } },
    );
    const ended = finish(child);
    child.stdin.end();
    const isThere = async (): Promise<boolean> => {
      const [first] = await repo.worktrees();
      return access(path.join(String(first?.['path']), '../checking')).then(
        () => true,
        () => false,
      );
    };
    while (!(await isThere())) await delay(50);

    child.kill(signal);

    expect((await ended).status).toBe(status);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark);
    const race = { check: { exitCode: status } };
    expect(await repo.worktrees()).toMatchObject([
      { additions: 1, race },
      { additions: 1, race },
    ]);
  },
);

test('a check that a signal ends has the status that a shell has for it', async () => {
  await using repo = await testRepository();

  const { stdout } = await repo.parley(
    ['race', 'say: hi'].concat('-a,parley,-a,parley,--check,kill -s TERM $$,--json'.split(',')),
  );

  const last: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const check = { exitCode: 143 };
  expect(last).toMatchObject({ type: 'race', runners: [{ check }, { check }] });
});

test('killing a race leaves its worktrees and changes, and no process', async () => {
  await using repo = await testRepository();
  const child = startParley(
    ['race', 'write new.txt: new\nsleep 600', '-a', 'parley', '-a', 'parley', '--approve', 'edits'],
    { cwd: repo.path, env: { PARLEY_HOME: repo.home } },
  );
  const ended = finish(child);
  child.stdin.end();
  await seen(child.stderr, 'started');
  for (;;) {
    const listed = await repo.worktrees();
    if (listed.length === 2 && listed.every(({ additions }) => additions === 1)) break;
    await delay(50);
  }

  child.kill('SIGKILL');
  await ended;

  const [first, second] = await repo.worktrees();
  const race = { agent: 'parley', prompt: 'write new.txt: new\nsleep 600', state: 'running' };
  expect([first, second]).toMatchObject([
    { state: 'changed', race },
    { state: 'changed', race },
  ]);
  expect((await repo.parley(['race', 'adopt', String(first?.['name'])])).status).toBe(0);
  expect(await readFile(path.join(repo.path, 'new.txt'), 'utf8')).toBe('new');
});

test('configured agents can race, from --base and --with-changes; a refusing runner has its own status, and the race ends with 0', async () => {
  await using repo = await testRepository();
  await configure(repo, { good: { prompt: [] }, bad: { prompt: [], stopReason: 'refusal' } });
  const base = await repo.git('rev-parse', 'HEAD');
  await repo.git('commit', '-q', '--allow-empty', '-m', 'second');
  await writeFile(path.join(repo.path, 'a.txt'), 'edited\n');

  const { status, stdout } = await repo.parley([
    'race',
    'x',
    '-a',
    'good',
    '-a',
    'bad',
    '--json',
    '--base',
    'HEAD^',
    '--with-changes',
  ]);

  expect(status).toBe(0);
  for (const { path: folder } of raceIn(stdout).runners) {
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).toBe('edited\n');
  }
  expect(await repo.worktrees()).toMatchObject([{ base }, { base }]);
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt');
  expect(raceIn(stdout).runners).toMatchObject([
    { agent: 'good', exitCode: 0, stopReason: 'end_turn', files: 0, check: null },
    { agent: 'bad', exitCode: 5, stopReason: 'refusal' },
  ]);
});

test('killing a race leaves no agent, not even one that ignores signals', async () => {
  await using repo = await testRepository();
  const mark = `race-${String(process.pid)}`;
  await configure(repo, { deaf: { deaf: true, mark, silent: ['session/prompt'], log: 'x' } });
  const child = startParley(['race', 'x', '-a', 'deaf', '-a', 'deaf'], {
    cwd: repo.path,
    env: { PARLEY_HOME: repo.home },
  });
  const ended = finish(child);
  child.stdin.end();
  const agents = (): number =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(mark)).length;
  while (agents() < 2) await delay(50);

  child.kill('SIGKILL');
  await ended;

  while (agents() > 0) await delay(50);
  expect(await repo.worktrees()).toHaveLength(2);
});

test('a runner that reaches the time limit ends with 124, and the others are not affected', async () => {
  await using repo = await testRepository();

  const { status, stdout } = await repo.parley([
    'race',
    'sleep 600',
    '-a',
    'parley',
    '--timeout',
    '3',
    '--json',
  ]);

  expect(status).toBe(1);
  expect(raceIn(stdout).runners).toMatchObject([{ exitCode: 124 }]);
});

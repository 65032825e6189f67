import { writeFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parley, scripted, stopOf, temporaryFolder, toLines, type Finished, type Line } from './command.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

/** A turn in which the agent asks whether it may do something of this kind. */
function asking(kind: string | undefined, rawInput?: object): object {
  const toolCall = { toolCallId: 't', title: 'Do it', kind, rawInput };
  return {
    prompt: [
      { update: { sessionUpdate: 'tool_call', ...toolCall, status: 'pending' } },
      { ask: { method: 'session/request_permission', params: { toolCall: { toolCallId: 't' }, options } } },
    ],
  };
}

interface Asked {
  readonly status: number | null;
  readonly permission: Line | undefined;
  readonly stop: Line;
  /** What the agent was answered. */
  readonly outcome: string;
  readonly stderr: string;
}

async function ask(script: object, ...flags: string[]): Promise<Asked> {
  const { status, stdout, stderr } = await parley([
    'run',
    '--format',
    'json',
    ...flags,
    'go',
    '--',
    ...scripted(script),
  ]);
  const lines = toLines(stdout);
  const said = lines.find((line) => JSON.stringify(line).includes('session/request_permission: '));
  return {
    status,
    stderr,
    permission: lines.find(({ type }) => type === 'permission'),
    stop: stopOf(lines),
    outcome: JSON.stringify(said ?? ''),
  };
}

test.each([
  ['reads', 'read', 'yes'],
  ['reads', 'search', 'yes'],
  ['reads', 'think', 'yes'],
  ['edits', 'read', 'yes'],
  ['edits', 'edit', 'yes'],
  ['edits', 'delete', 'yes'],
  ['edits', 'move', 'yes'],
  ['all', 'execute', 'yes'],
  ['all', undefined, 'yes'],
])('--approve %s allows %s', async (level, kind, decision) => {
  const { status, permission, outcome } = await ask(asking(kind), '--approve', level);
  expect(status).toBe(0);
  expect(permission).toMatchObject({ toolCallId: 't', options, decision, by: 'flag' });
  expect(outcome).toContain('yes');
});

test.each([
  ['reads', 'edit'],
  ['edits', 'execute'],
  ['edits', 'fetch'],
  ['edits', undefined],
])(
  '--approve %s does not cover %s: without a user it is rejected and the run ends with status 3',
  async (level, kind) => {
    const { status, permission, stop } = await ask(asking(kind), '--approve', level);
    expect(status).toBe(3);
    expect(permission).toMatchObject({ decision: 'no', by: 'nobody' });
    expect(stop).toMatchObject({ stopReason: 'end_turn', exitCode: 3 });
  },
);

test('without --approve and without a user, only reading is allowed', async () => {
  expect(await ask(asking('read'))).toMatchObject({ status: 0, permission: { decision: 'yes', by: 'flag' } });
  expect(await ask(asking('edit'))).toMatchObject({
    status: 3,
    permission: { decision: 'no', by: 'nobody' },
  });
});

test('--approve none rejects by decision: the status is that of the stop reason', async () => {
  const { status, permission } = await ask(asking('read'), '--approve', 'none');
  expect(status).toBe(0);
  expect(permission).toMatchObject({ decision: 'no', by: 'flag' });
});

test('--on-ask fail cancels the turn at once instead of rejecting', async () => {
  const script = asking('edit');
  const { status, permission, stop, outcome } = await ask(script, '--on-ask', 'fail');
  expect(status).toBe(3);
  expect(permission).toMatchObject({ decision: 'cancelled', by: 'nobody' });
  expect(stop).toMatchObject({ exitCode: 3 });
  expect(outcome).not.toContain('"no\\"');
});

test('a question that no user can answer is cancelled, and the run ends with status 3', async () => {
  const script = {
    prompt: [
      {
        ask: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Which?',
            requestedSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          },
        },
      },
    ],
  };
  const words = ['--format', 'json', 'go', '--', ...scripted(script)];
  const { status, stdout, stderr } = await parley(['run', ...words]);
  const failed = await parley(['run', '--on-ask', 'fail', ...words]);
  expect(status).toBe(3);
  // Nothing that could be allowed in advance.
  expect(stderr).toBe(
    'parley: the agent asked a question, but input is not interactive; run it on a terminal to answer\n',
  );
  expect(failed.stderr).toContain('the agent asked a question, but input is not interactive (--on-ask fail)');
  expect(toLines(stdout)).toContainEqual(
    expect.objectContaining({
      type: 'elicitation',
      message: 'Which?',
      mode: 'form',
      action: 'cancel',
      by: 'nobody',
    }),
  );
  expect(stdout).toContain('elicitation/create: {\\"action\\":\\"cancel\\"}');
});

test('rules of the configuration decide, a given level overrides them, and a deny always applies', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'config.json');
  const rules = [
    { tool: 'execute', command: 'npm test', decision: 'allow' },
    { tool: 'execute', commandPrefix: 'rm', decision: 'deny' },
    { tool: 'edit', decision: 'ask' },
  ];
  await writeFile(file, JSON.stringify({ permissions: { rules } }));
  const run = (kind: string, command: string | undefined, ...flags: string[]): Promise<Asked> =>
    ask(asking(kind, command === undefined ? undefined : { command }), '--config', file, ...flags);

  expect(await run('execute', 'npm test')).toMatchObject({
    status: 0,
    permission: { decision: 'yes', by: 'rule' },
  });
  expect(await run('execute', 'rm -rf x', '--approve', 'all')).toMatchObject({
    status: 0,
    permission: { decision: 'no', by: 'rule' },
  });
  expect(await run('execute', 'npm test && rm x')).toMatchObject({
    permission: { decision: 'no', by: 'rule' },
  });
  expect(await run('edit', undefined)).toMatchObject({
    status: 3,
    permission: { decision: 'no', by: 'nobody' },
  });
  expect(await run('edit', undefined, '--approve', 'edits')).toMatchObject({
    status: 0,
    permission: { decision: 'yes', by: 'flag' },
  });
});

test('a file write through the client is judged as an edit, whether or not the agent asked', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'a.txt');
  const script = {
    prompt: [{ ask: { method: 'fs/write_text_file', params: { path: file, content: 'written' } } }],
  };
  const run = (...flags: string[]): Promise<Finished> =>
    parley(['run', '--format', 'json', ...flags, 'go', '--', ...scripted(script)], { cwd: folder.path });

  expect((await run()).status).toBe(3);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  expect((await run('--approve', 'edits')).status).toBe(0);
  expect(await readFile(file, 'utf8')).toBe('written');
});

test('a command that an agent starts through the client is judged as a command', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'made');
  const params = {
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(file)}, '')`],
  };
  const script = {
    prompt: [
      { ask: { method: 'terminal/create', params } },
      { ask: { method: 'terminal/wait_for_exit', params: { terminalId: '$terminalId' } } },
    ],
  };
  const run = (...flags: string[]): Promise<Finished> =>
    parley(['run', '--format', 'json', ...flags, 'go', '--', ...scripted(script)], { cwd: folder.path });

  expect((await run('--approve', 'edits')).status).toBe(3);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  expect((await run('--approve', 'all')).status).toBe(0);
  expect(await readFile(file, 'utf8')).toBe('');
});

test('the built-in agent changes a file only with approval', async () => {
  await using folder = await temporaryFolder();
  const refused = await parley(['run', 'write notes.txt: hello'], { cwd: folder.path });
  expect(refused.status).toBe(3);
  await expect(readFile(path.join(folder.path, 'notes.txt'))).rejects.toThrow('ENOENT');
  const approved = await parley(['run', '--approve', 'edits', 'write notes.txt: hello'], {
    cwd: folder.path,
  });
  expect(approved.status).toBe(0);
  expect(approved.stdout).toContain('+ hello');
  expect(await readFile(path.join(folder.path, 'notes.txt'), 'utf8')).toMatch(/^hello\n?$/);
});

test('a request that the agent sends after the time limit is answered by no user', async () => {
  const params = { toolCall: { toolCallId: 't', title: 'Do it', kind: 'execute' }, options };
  const prompt = [{ until: 'cancel' }, { ask: { method: 'session/request_permission', params } }];

  const { status, permission } = await ask({ deaf: true, stopReason: 'cancelled', prompt }, '--timeout', '3');

  expect(status).toBe(124);
  expect(permission).toMatchObject({
    decision: 'cancelled',
    by: 'nobody',
    reason: 'the time limit of the turn was reached',
  });
});

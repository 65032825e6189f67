import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Interact, Policy, RequestedAction } from '../src/index.ts';
import { approve, only, isPosix, script, type Step } from './harness.ts';

const once = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const always = [
  { optionId: 'always', name: 'Yes', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

function ask(toolCall: object, options: readonly object[] = once): Step {
  return { request: 'session/request_permission', params: { sessionId: '$SESSION', toolCall, options } };
}

function announce(toolCall: object): Step {
  return { update: { sessionUpdate: 'tool_call', title: 'Call', ...toolCall } };
}

function write(path: string, content: string): Step {
  return { request: 'fs/write_text_file', params: { sessionId: '$SESSION', path, content } };
}

function read(path: string): Step {
  return { request: 'fs/read_text_file', params: { sessionId: '$SESSION', path } };
}

function run(command: string, args: readonly string[], more: object = {}): Step {
  return {
    request: 'terminal/create',
    params: { sessionId: '$SESSION', command, args, ...more },
    save: 'terminalId',
  };
}

const ended: Step = {
  request: 'terminal/wait_for_exit',
  params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } },
};

function diff(path: string, newText: string, oldText?: string): object {
  return { type: 'diff', path, newText, ...(oldText !== undefined && { oldText }) };
}

const selected = (optionId: string): object => ({ result: { outcome: { outcome: 'selected', optionId } } });
const refused = { error: { code: 403 } };

/** A user who says yes to the first questions, and no to those after them; with what was asked. */
function user(
  yes: number,
  meanwhile: (count: number) => Promise<void> = async () => {},
): Interact & {
  readonly asked: RequestedAction[];
} {
  const asked: RequestedAction[] = [];
  return {
    asked,
    permission: async ({ options }, { action }) => {
      asked.push(action);
      const count = asked.length;
      await meanwhile(count);
      const wanted = count <= yes ? 'allow' : 'reject';
      const option = options.find(({ kind }) => kind.startsWith(wanted));
      return option === undefined ? { kind: 'cancel' } : { kind: 'option', optionId: option.optionId };
    },
  };
}

const allowing = (...rules: Policy['rules']): Policy => ({
  approve: { level: 'reads', given: false },
  rules,
});

test.runIf(isPosix).each([
  ['PATH', './tools'],
  ['LD_PRELOAD', './evil.so'],
  ['GIT_CONFIG_COUNT', '1'],
  ['NODE_OPTIONS', '--require ./evil.js'],
])('an allowed command with %s set is asked about, and the variable is shown', async (name, value) => {
  const interact = user(0);
  const { play, answers, events } = await script({
    policy: allowing({ tool: 'execute', commandPrefix: 'git status', decision: 'allow' }),
    interact,
  });

  await play(
    run('git', ['status'], { env: [{ name, value }] }),
    ask({ toolCallId: 'a', kind: 'execute', rawInput: { command: 'git status', env: { [name]: value } } }),
  );

  expect(answers()).toMatchObject([refused, selected('no')]);
  expect(interact.asked.map(({ command }) => command?.env)).toEqual([[{ name, value }], [{ name, value }]]);
  // What is kept says which variables there were, and not what they held: that may be a key.
  expect(only(events, 'permission-request').map(({ action }) => action?.command?.env)).toEqual([
    [{ name, value: '***' }],
    [{ name, value: '***' }],
  ]);
});

test.runIf(isPosix)('a color variable leaves an allowed command allowed', async () => {
  const { play, answers } = await script({
    policy: allowing({ tool: 'execute', commandPrefix: 'git --version', decision: 'allow' }),
  });

  await play(run('git', ['--version'], { env: [{ name: 'NO_COLOR', value: '1' }] }), ended);

  expect(answers()).toMatchObject([{ result: {} }, { result: { exitCode: 0 } }]);
});

test.runIf(isPosix)('a program named sh in the project is not a shell', async () => {
  const interact = user(0);
  const { play, answers, cwd } = await script({
    policy: allowing({ tool: 'execute', command: 'git status', decision: 'allow' }),
    interact,
  });
  await mkdir(join(cwd, 'tools'));
  await writeFile(join(cwd, 'tools', 'sh'), '#!/bin/sh\ntouch ran\n');
  await chmod(join(cwd, 'tools', 'sh'), 0o755);

  await play(run('./tools/sh', ['-c', 'git status']), run('sh', ['-c', 'git status']), ended);

  expect(answers()).toMatchObject([refused, { result: {} }, { result: {} }]);
  expect(interact.asked).toMatchObject([
    { command: { command: ['./tools/sh', '-c', 'git status'], program: join(cwd, 'tools', 'sh') } },
  ]);
});

test('an approval covers only the text that was shown', async () => {
  const interact = user(1);
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact });
  const file = join(cwd, 'a');

  await play(
    ask({ toolCallId: 'a', kind: 'edit', content: [diff(file, 'shown')] }),
    write(file, 'other'),
    write(file, 'shown'),
  );

  expect(answers()).toMatchObject([selected('yes'), refused, { result: {} }]);
  expect(interact.asked[1]?.files).toMatchObject([{ path: file, content: { newText: 'other' } }]);
});

test('a call that showed only a location does not cover the write, which asks with its text', async () => {
  const interact = user(1);
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact });
  const file = join(cwd, 'a');

  await play(ask({ toolCallId: 'a', kind: 'edit', locations: [{ path: file }] }), write(file, 'text'));

  expect(answers()).toMatchObject([selected('yes'), refused]);
  expect(interact.asked[1]?.files).toMatchObject([{ content: { newText: 'text' } }]);
});

test('a shown part covers the file with that part replaced', async () => {
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact: user(1) });
  const file = join(cwd, 'a');
  await writeFile(file, 'one\ntwo\nthree\n');

  await play(
    ask({ toolCallId: 'a', kind: 'edit', content: [diff(file, '2', 'two')] }),
    write(file, 'one\n2\nthree\n# and more\n'),
    write(file, 'one\n2\nthree\n'),
  );

  expect(answers()).toMatchObject([selected('yes'), refused, { result: {} }]);
});

test('a file that changed since it was shown asks again, with its current content', async () => {
  const interact = user(2);
  const { play, answers, cwd, event } = await script({ policy: approve('ask'), interact });
  const file = join(cwd, 'a');
  await writeFile(file, 'old');

  const turn = play(
    ask({ toolCallId: 'a', kind: 'edit', content: [diff(file, 'new', 'old')] }),
    { update: { sessionUpdate: 'plan', entries: [] } },
    run('sh', ['-c', 'printf changed > a']),
    ended,
    write(file, 'new'),
  );
  await event('terminal-end');
  await turn;

  expect(answers().at(-1)).toMatchObject(refused);
  expect(interact.asked.at(-1)?.files).toMatchObject([{ content: { oldText: 'changed', newText: 'new' } }]);
});

test('a file that changes while the user decides asks again', async () => {
  const { play, answers, cwd } = await script({
    policy: approve('ask'),
    interact: user(2, async (count) => {
      if (count === 1) await writeFile(file, 'changed meanwhile');
    }),
  });
  const file = join(cwd, 'a');
  await writeFile(file, 'old');

  await play(write(file, 'new'));

  expect(answers()).toMatchObject([{ result: {} }]);
  expect(await readFile(file, 'utf8')).toBe('new');
});

test.runIf(isPosix)(
  'a folder that becomes a link while the user decides leads the write nowhere',
  async () => {
    const interact = user(3, async (count) => {
      if (count > 1) return;
      await rename(join(cwd, 'src'), join(cwd, 'moved'));
      await symlink('.git', join(cwd, 'src'));
    });
    const { play, answers, cwd } = await script({ policy: approve('ask'), interact });
    await mkdir(join(cwd, '.git'));
    await mkdir(join(cwd, 'src'));
    const file = join(cwd, 'src', 'config');

    await play(write(file, 'evil'));

    // It is asked about again, as what it has become.
    expect(answers()).toMatchObject([{ result: {} }]);
    expect(interact.asked.map(({ files }) => files[0]?.protection)).toEqual([undefined, 'git']);
  },
);

test.runIf(isPosix)(
  'a command does not start in a folder that was put in the place of the one shown',
  async () => {
    const { play, answers, cwd } = await script({
      policy: approve('ask'),
      interact: user(1, async () => {
        await rename(join(cwd, 'src'), join(cwd, 'moved'));
        await mkdir(join(cwd, 'src'));
      }),
    });
    await mkdir(join(cwd, 'src'));

    await play(run('touch', ['here'], { cwd: join(cwd, 'src') }));

    expect(answers()).toMatchObject([{ error: { code: -32602, data: { reason: 'changed' } } }]);
    await expect(readFile(join(cwd, 'src', 'here'))).rejects.toThrow('ENOENT');
  },
);

test.runIf(isPosix)('a program that is replaced while the user decides does not start', async () => {
  const { play, answers, cwd } = await script({
    policy: approve('ask'),
    interact: user(1, async () => {
      await writeFile(tool(), '#!/bin/sh\ntouch evil\n');
    }),
  });
  const tool = (): string => join(cwd, 'tool');
  await writeFile(tool(), '#!/bin/sh\ntrue\n');
  await chmod(tool(), 0o755);

  await play(run('./tool', ['x']));

  expect(answers()).toMatchObject([{ error: { code: -32602, data: { reason: 'changed' } } }]);
  await expect(readFile(join(cwd, 'evil'))).rejects.toThrow('ENOENT');
});

test.runIf(isPosix)('an approval does not cover a program that was replaced since', async () => {
  const interact = user(2);
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact });
  const tool = join(cwd, 'tool');
  await writeFile(tool, '#!/bin/sh\ntrue\n');
  await chmod(tool, 0o755);

  await play(
    ask({ toolCallId: 'a', kind: 'execute', rawInput: { command: ['./tool', 'x'] } }),
    run('sh', ['-c', 'echo touch evil >> tool']),
    ended,
    run('./tool', ['x']),
  );

  expect(answers()).toMatchObject([selected('yes'), { result: {} }, { result: {} }, refused]);
  expect(interact.asked).toHaveLength(3);
});

test.runIf(isPosix)('an allowed call covers its command only in its own folder', async () => {
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact: user(1) });
  await mkdir(join(cwd, 'src'));

  await play(
    ask({ toolCallId: 'a', kind: 'execute', rawInput: { command: 'true x' } }),
    run('true', ['x'], { cwd: join(cwd, 'src') }),
    run('true', ['x']),
  );

  expect(answers()).toMatchObject([selected('yes'), refused, { result: {} }]);
});

test.runIf(isPosix)('a program receives the name it was called by', async () => {
  const { play, answers } = await script({ policy: approve('all') });

  await play(
    {
      request: 'terminal/create',
      params: { sessionId: '$SESSION', command: 'sh', args: ['-c', 'echo $0'] },
      save: 'terminalId',
    },
    ended,
    { request: 'terminal/output', params: { sessionId: '$SESSION', terminalId: { $: 'terminalId' } } },
  );

  expect(answers()[2]).toMatchObject({ result: { output: 'sh\n' } });
});

test.each([
  { kind: 'read', rawInput: { command: 'rm x' } },
  { kind: 'search', content: [diff('/a', 'new')] },
  { kind: 'read', locations: [{ path: '/etc/shadow' }] },
  { kind: 'search', rawInput: { path: '/' } },
  { kind: 'read', rawInput: { file_path: '../elsewhere' } },
])('the level "reads" does not cover %j', async (call) => {
  const { play, answers } = await script({ policy: approve('reads') });

  await play(ask({ toolCallId: 'a', ...call }));

  expect(answers()).toEqual([selected('no')]);
});

test.each([
  { kind: 'edit', rawInput: { command: 'rm x' } },
  { kind: 'edit', content: [diff('/etc/hosts', 'new')] },
])('the level "edits" does not cover %j', async (call) => {
  const { play, answers } = await script({ policy: approve('edits') });

  await play(ask({ toolCallId: 'a', ...call }));

  expect(answers()).toEqual([selected('no')]);
});

test('of two kinds of one call the stricter one applies, in any order', async () => {
  const { play, answers, events } = await script({ policy: approve('reads') });

  await play(
    announce({ toolCallId: 'a', kind: 'execute' }),
    ask({ toolCallId: 'a', kind: 'read', locations: [{ path: 'x' }] }),
    announce({ toolCallId: 'b', kind: 'read' }),
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'b', kind: 'edit' } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'b', kind: 'read' } },
    ask({ toolCallId: 'b' }),
    announce({ toolCallId: 'c', kind: 'other', rawInput: { command: 'rm x' } }),
    ask({ toolCallId: 'c', kind: 'read', rawInput: { path: 'x' } }),
  );

  expect(answers()).toEqual([selected('no'), selected('no'), selected('no')]);
  expect(only(events, 'permission-request').map(({ action }) => action)).toMatchObject([
    { kind: 'execute', declaredKind: 'read' },
    { kind: 'edit' },
    { kind: 'execute', declaredKind: 'read' },
  ]);
});

test('a rule that denies what a call declares applies, even if the call counts as something else too', async () => {
  const { play, answers } = await script({
    policy: {
      approve: { level: 'all', given: true },
      rules: [{ tool: 'edit', path: 'src', decision: 'deny' }],
    },
  });

  await play(
    ask({ toolCallId: 'a', kind: 'edit', locations: [{ path: 'src/a' }], rawInput: { command: 'echo' } }),
  );

  expect(answers()).toEqual([selected('no')]);
});

test.each([
  '.git/config',
  '.GIT/hooks/pre-commit',
  '.parley/settings.json',
  '.env.local',
  'sub/.npmrc',
  '.vscode/tasks.json',
  '.husky/pre-commit',
  'node_modules/.bin/tsc',
  '.bashrc',
])('the level "edits" asks about %s, and "all" does not', async (name) => {
  for (const [level, expected] of [
    ['edits', refused],
    ['all', { result: {} }],
  ] as const) {
    const { play, answers, events, cwd } = await script({ policy: approve(level) });

    await play(write(join(cwd, name), 'x'));

    expect(answers()).toMatchObject([expected]);
    if (level === 'edits') {
      expect(only(events, 'permission')).toMatchObject([
        { because: { code: 'protected', path: join(cwd, name) } },
      ]);
    }
  }
});

test('a rule allows a protected file only when it names it, not when its glob happens to cover it', async () => {
  const policy = (path: string): Policy => allowing({ tool: 'edit', path, decision: 'allow' });
  const broad = await script({ policy: policy('**') });
  const narrow = await script({ policy: policy('.git/hooks') });

  await broad.play(write(join(broad.cwd, '.git', 'hooks', 'a'), 'x'), write(join(broad.cwd, 'a'), 'x'));
  await narrow.play(write(join(narrow.cwd, '.git', 'hooks', 'a'), 'x'));

  expect(broad.answers()).toMatchObject([refused, { result: {} }]);
  expect(narrow.answers()).toMatchObject([{ result: {} }]);
});

test('reading a file with keys through the client asks first', async () => {
  const interact = user(1);
  const { play, answers, cwd } = await script({ policy: approve('reads'), interact });
  await writeFile(join(cwd, '.env'), 'KEY=1');
  await writeFile(join(cwd, 'a'), 'a');

  await play(read(join(cwd, 'a')), read(join(cwd, '.env')), read(join(cwd, '.env')));

  expect(answers()).toMatchObject([{ result: { content: 'a' } }, { result: { content: 'KEY=1' } }, refused]);
});

test.runIf(isPosix).each(['echo x > .git/hooks/pre-commit', 'cp a .bashrc', 'cat .env'])(
  'a rule about programs does not allow %j',
  async (command) => {
    const rules = ['echo', 'cp', 'cat'].map((commandPrefix) => {
      return { tool: 'execute', commandPrefix, decision: 'allow' } as const;
    });
    const { play, answers } = await script({ policy: allowing(...rules) });

    await play(
      ask({ toolCallId: 'a', kind: 'execute', rawInput: { command } }),
      ask({ toolCallId: 'b', kind: 'execute', rawInput: { command: 'cat a' } }),
    );

    expect(answers()).toEqual([selected('no'), selected('yes')]);
  },
);

test('an approval level never chooses an "always" option: the user is asked, or the call is rejected', async () => {
  const interact = user(1);
  const alone = await script({ policy: approve('all') });
  const attended = await script({ policy: approve('all'), interact });

  await alone.play(ask({ toolCallId: 'a', kind: 'edit' }, always));
  await attended.play(ask({ toolCallId: 'a', kind: 'edit' }, always));

  expect(alone.answers()).toEqual([selected('no')]);
  expect(attended.answers()).toEqual([selected('always')]);
  expect(interact.asked).toHaveLength(1);
});

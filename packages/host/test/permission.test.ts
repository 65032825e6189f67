import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RequestPermissionRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import type { Interact, PermissionAnswer } from '../src/index.ts';
import { approve, folders, only, isPosix, script, type Step } from './harness.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

function ask(toolCall: object, offered: readonly object[] = options): Step {
  return {
    request: 'session/request_permission',
    params: { sessionId: '$SESSION', toolCall, options: offered },
  };
}

function write(path: string, content = 'new'): Step {
  return { request: 'fs/write_text_file', params: { sessionId: '$SESSION', path, content } };
}

function diff(path: string, newText = 'new', oldText?: string): object {
  return { type: 'diff', path, newText, ...(oldText !== undefined && { oldText }) };
}

function run(command: string, ...args: readonly string[]): Step {
  return {
    request: 'terminal/create',
    params: { sessionId: '$SESSION', command, ...(args.length > 0 && { args }) },
  };
}

const selected = (optionId: string): object => ({ result: { outcome: { outcome: 'selected', optionId } } });

test('without a user, calls that the level does not cover are rejected', async () => {
  const { play, answers, events } = await script();

  await play(
    ask({ toolCallId: 'a', kind: 'read' }),
    ask({ toolCallId: 'b', kind: 'edit' }),
    ask({ toolCallId: 'c' }),
  );

  expect(answers()).toEqual([selected('yes'), selected('no'), selected('no')]);
  expect(only(events, 'permission')).toMatchObject([
    { toolCallId: 'a', decision: 'yes', by: 'flag', options, because: { code: 'level', isCovered: true } },
    { toolCallId: 'b', decision: 'no', by: 'nobody', because: { code: 'level', kind: 'edit' } },
    { toolCallId: 'c', decision: 'no', by: 'nobody' },
  ]);
});

test('without an option of the right kind the answer is cancelled', async () => {
  const { play, answers, events } = await script();
  const onlyYes = options.slice(0, 1);

  await play(ask({ toolCallId: 'a', kind: 'edit' }, onlyYes));

  expect(answers()).toEqual([{ result: { outcome: { outcome: 'cancelled' } } }]);
  expect(only(events, 'permission')).toMatchObject([{ decision: 'cancelled', by: 'nobody' }]);
});

test('an option id that both allows and rejects is never chosen, by rule or by user', async () => {
  const { play, answers, events } = await script({ policy: approve('all') });
  const both = [
    { optionId: 'go', name: 'Yes', kind: 'allow_once' },
    { optionId: 'go', name: 'No', kind: 'reject_once' },
  ];

  await play(ask({ toolCallId: 'a', kind: 'edit' }, both));

  expect(answers()).toEqual([{ result: { outcome: { outcome: 'cancelled' } } }]);
  expect(only(events, 'permission')).toMatchObject([
    { decision: 'cancelled', by: 'flag', reason: expect.stringContaining('to its opposite too') as string },
  ]);
  // That of the level would say less than the reason does.
  expect(only(events, 'permission')[0]).not.toHaveProperty('because');
});

test('the user sees everything known about the tool call, and chooses between options of the same kind', async () => {
  const asked: RequestPermissionRequest[] = [];
  const same = [
    { optionId: 'file', name: 'This file', kind: 'allow_once' },
    { optionId: 'folder', name: 'This folder', kind: 'allow_once' },
  ];
  const { play, answers, events } = await script({
    policy: approve('ask'),
    interact: {
      permission: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: 'option', optionId: 'folder' });
      },
    },
  });
  const rawInput = { command: 'make all' };

  await play(
    { update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Make', kind: 'execute', rawInput } },
    ask({ toolCallId: 'a', status: 'pending' }, same),
  );

  expect(asked[0]?.toolCall).toMatchObject({ title: 'Make', kind: 'execute', rawInput, status: 'pending' });
  expect(answers()).toEqual([selected('folder')]);
  expect(only(events, 'permission')).toMatchObject([{ decision: 'folder', by: 'person', options: same }]);
});

test('two concurrent questions are answered independently, in any order', async () => {
  const waiting = new Map<string, (answer: PermissionAnswer) => void>();
  const { play, answers, event } = await script({
    policy: approve('ask'),
    interact: {
      permission: ({ toolCall }) =>
        new Promise((resolve) => {
          waiting.set(toolCall.toolCallId, resolve);
          if (waiting.size === 2) waiting.get('b')?.({ kind: 'option', optionId: 'no' });
        }),
    },
  });

  const turn = play({ parallel: [ask({ toolCallId: 'a' }), ask({ toolCallId: 'b' })] });
  await event('permission');
  waiting.get('a')?.({ kind: 'option', optionId: 'yes' });
  await turn;

  expect(answers()).toEqual([selected('no'), selected('yes')]);
});

test('an answer that fails allows nothing', async () => {
  const { play, answers } = await script({
    policy: approve('ask'),
    interact: { permission: () => Promise.reject(new Error('the terminal was closed')) },
  });

  await play(ask({ toolCallId: 'a' }));

  expect(answers()).toEqual([selected('no')]);
});

test('a rule of the configuration decides before the default level', async () => {
  const { play, answers, events } = await script({
    policy: {
      approve: { level: 'reads', given: false },
      rules: [{ tool: 'execute', command: 'npm test', decision: 'allow' }],
    },
  });

  await play(
    ask({ toolCallId: 'a', kind: 'execute', rawInput: { command: 'npm test' } }),
    ask({ toolCallId: 'b', kind: 'execute', rawInput: { command: 'npm test; rm x' } }),
  );

  expect(answers()).toEqual([selected('yes'), selected('no')]);
  expect(only(events, 'permission')).toMatchObject([{ by: 'rule' }, { by: 'nobody' }]);
});

test('an opaque request is marked, and a rule about its kind does not allow it', async () => {
  const { play, answers, events } = await script({
    policy: {
      approve: { level: 'reads', given: false },
      rules: [{ tool: 'execute', decision: 'allow' }],
    },
  });

  await play(
    ask({ toolCallId: 'a', title: 'bash', kind: 'execute' }),
    ask({ toolCallId: 'b', title: 'bash', kind: 'execute', rawInput: { command: 'ls' } }),
  );

  expect(answers()).toEqual([selected('no'), selected('yes')]);
  expect(only(events, 'permission-request').map(({ opaque }) => opaque)).toEqual([true, undefined]);
  expect(only(events, 'permission')[0]?.reason).toContain('opaque');
});

test('a rule with an agent applies to that agent, and the reason names the source of the rule', async () => {
  const deny = { tool: 'read', decision: 'deny', origin: 'user' } as const;
  const { play, answers, events } = await script({
    name: 'mine',
    policy: {
      approve: { level: 'all', given: true },
      rules: [
        { ...deny, agent: 'mine', path: 'secret' },
        { ...deny, agent: 'other' },
      ],
    },
  });

  await play(
    ask({ toolCallId: 'a', kind: 'read', locations: [{ path: 'secret' }] }),
    ask({ toolCallId: 'b', kind: 'read', locations: [{ path: 'open' }] }),
  );

  expect(answers()).toEqual([selected('no'), selected('yes')]);
  expect(only(events, 'permission')[0]?.reason).toBe(
    'your rule "deny read path "secret" agent "mine"" applies',
  );
});

test.runIf(isPosix)('an agent that writes or runs without asking is judged as if it had asked', async () => {
  const { play, answers, events, cwd } = await script({ policy: approve('edits') });

  await play(write(join(cwd, 'a')), run('true'));

  expect(answers()).toMatchObject([{ result: {} }, { error: { code: 403 } }]);
  expect(only(events, 'permission')).toMatchObject([
    { decision: 'allow', by: 'flag' },
    { decision: 'reject', by: 'nobody' },
  ]);
});

test('the level "none" also rejects calls that were not asked for', async () => {
  const { play, answers, events, cwd } = await script({ policy: approve('none') });

  await play(write(join(cwd, 'a')));

  expect(answers()).toMatchObject([{ error: { code: 403 } }]);
  expect(only(events, 'permission')).toMatchObject([{ decision: 'reject', by: 'flag' }]);
});

test.runIf(isPosix)('the user sees the diff and the command of calls that were not asked for', async () => {
  const asked: RequestPermissionRequest[] = [];
  const { play, answers, cwd } = await script({
    policy: approve('ask'),
    interact: {
      permission: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: 'option', optionId: 'allow' });
      },
    },
  });
  await writeFile(join(cwd, 'a'), 'old');

  await play(write(join(cwd, 'a')), run('echo', 'one two'));

  expect(answers()).toMatchObject([{ result: {} }, { result: {} }]);
  expect(asked.map((request) => request.toolCall)).toMatchObject([
    { kind: 'edit', content: [{ type: 'diff', path: join(cwd, 'a'), oldText: 'old', newText: 'new' }] },
    { kind: 'execute', title: "echo 'one two'", rawInput: { command: ['echo', 'one two'], cwd } },
  ]);
});

test.runIf(isPosix)('the user sees the variables of a command', async () => {
  const asked: RequestPermissionRequest[] = [];
  const { play } = await script({
    policy: approve('ask'),
    interact: {
      permission: (request) => {
        asked.push(request);
        return Promise.resolve({ kind: 'option', optionId: 'reject' });
      },
    },
  });
  const env = [
    { name: 'PAGER', value: 'cat' },
    { name: 'PATH', value: '/tmp/a folder' },
  ];

  await play({
    request: 'terminal/create',
    params: { sessionId: '$SESSION', command: 'echo', args: ['hi'], env },
  });

  const text = "with PAGER=cat PATH='/tmp/a folder'";
  expect(asked[0]?.toolCall.content).toEqual([{ type: 'content', content: { type: 'text', text } }]);
});

test.runIf(isPosix)('an allowed call covers only its own file and its own command', async () => {
  const granted: string[] = [];
  const { play, answers, events, cwd } = await script({
    policy: approve('ask'),
    interact: {
      permission: ({ toolCall }) => {
        granted.push(toolCall.toolCallId);
        return Promise.resolve({
          kind: 'option',
          optionId: toolCall.toolCallId.startsWith('call') ? 'yes' : 'reject',
        });
      },
    },
  });
  const [file, other] = [join(cwd, 'a'), join(cwd, 'b')];

  await play(
    ask({ toolCallId: 'call-1', kind: 'edit', content: [{ type: 'diff', path: file, newText: 'new' }] }),
    write(file),
    write(other),
    ask({ toolCallId: 'call-2', kind: 'execute', rawInput: { command: 'echo one' } }),
    run('echo', 'one'),
    run('echo one'),
    run('echo', 'two'),
  );

  expect(answers()).toMatchObject([
    selected('yes'),
    { result: {} },
    { error: { code: 403 } },
    selected('yes'),
    { result: {} },
    { error: { code: 403 } },
    { error: { code: 403 } },
  ]);
  expect(only(events, 'permission').map((event) => event.by)).toEqual(Array(5).fill('person'));
});

test('a call allowed as reading covers no write', async () => {
  const { play, answers, cwd } = await script();
  const file = join(cwd, 'a');

  await play(ask({ toolCallId: 'a', kind: 'read', locations: [{ path: file }] }), write(file));

  expect(answers()).toMatchObject([selected('yes'), { error: { code: 403 } }]);
});

/** A user who allows the first request and rejects each later one. */
function grantingOnce(): Interact {
  let count = 0;
  return {
    permission: () => {
      count += 1;
      return Promise.resolve({ kind: 'option', optionId: count === 1 ? 'yes' : 'reject' });
    },
  };
}

test('an approval for a call ends with the call', async () => {
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact: grantingOnce() });
  const file = join(cwd, 'a');

  await play(
    ask({ toolCallId: 'a', kind: 'edit', content: [diff(file)] }),
    write(file),
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' } },
    write(file),
  );

  expect(answers()).toMatchObject([selected('yes'), { result: {} }, { error: { code: 403 } }]);
});

test('an approval for a call ends with its turn', async () => {
  const { play, answers, cwd } = await script({ policy: approve('ask'), interact: grantingOnce() });
  const file = join(cwd, 'a');

  await play(ask({ toolCallId: 'a', kind: 'edit', content: [diff(file)] }));
  await play(write(file));

  expect(answers()).toMatchObject([selected('yes'), { error: { code: 403 } }]);
});

test.runIf(isPosix)('approvals end when the turn is cancelled', async () => {
  const { play, answers, session, cwd } = await script({
    policy: approve('ask'),
    interact: grantingOnce(),
    onEvent: (event) => {
      if (event.type === 'update' && event.view.sessionUpdate === 'plan') void session.cancel();
    },
  });
  const file = join(cwd, 'a');
  const rawInput = { command: 'echo one' };

  await play(
    ask({ toolCallId: 'a', kind: 'other', content: [diff(file)], rawInput }),
    { update: { sessionUpdate: 'plan', entries: [] } },
    { waitForCancel: true },
    write(file),
    run('echo', 'one'),
    { stop: 'cancelled' },
  );

  expect(answers()).toMatchObject([selected('yes'), { error: { code: 403 } }, { error: { code: 403 } }]);
});

test.runIf(isPosix)('paths outside the session are rejected at every level, including links', async () => {
  const { inside, outside } = await folders();
  const { play, answers, events } = await script({ policy: approve('all'), session: { cwd: inside } });
  await writeFile(join(outside, 'secret'), 'secret');
  await symlink(outside, join(inside, 'link'));
  const read = (path: string): Step => ({
    request: 'fs/read_text_file',
    params: { sessionId: '$SESSION', path },
  });

  await play(
    read(join(outside, 'secret')),
    read(join(inside, 'link', 'secret')),
    read(join(inside, '..', 'outside', 'secret')),
    write(join(outside, 'a')),
    write(join(inside, 'link', 'a')),
    { request: 'terminal/create', params: { sessionId: '$SESSION', command: 'pwd', cwd: outside } },
    {
      request: 'terminal/create',
      params: { sessionId: '$SESSION', command: 'pwd', cwd: join(inside, 'link') },
    },
  );

  expect(answers()).toMatchObject(Array(7).fill({ error: { code: -32602, data: { reason: 'outside' } } }));
  expect(only(events, 'permission')).toEqual([]);
});

test('a rule that denies reading applies to the client as well', async () => {
  const { play, answers, cwd } = await script({
    policy: {
      approve: { level: 'all', given: true },
      rules: [{ tool: 'read', path: '.env', decision: 'deny' }],
    },
  });
  await writeFile(join(cwd, '.env'), 'KEY=1');

  await play({ request: 'fs/read_text_file', params: { sessionId: '$SESSION', path: join(cwd, '.env') } });

  expect(answers()).toMatchObject([{ error: { code: 403 } }]);
});

test('a cancel answers open questions at once, and no new one is asked', async () => {
  let questions = 0;
  const { play, answers, session, events } = await script({
    policy: approve('ask'),
    interact: {
      permission: async (_request, { signal }) => {
        questions += 1;
        await setImmediate();
        if (questions === 2) void session.cancel();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'cancel' }));
        });
      },
      elicitation: () => new Promise(() => {}),
    },
  });

  const result = await play(
    { parallel: [ask({ toolCallId: 'a' }), ask({ toolCallId: 'b' })] },
    ask({ toolCallId: 'c' }),
    { stop: 'cancelled' },
  );

  expect(result).toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  expect(answers()).toEqual(Array(3).fill({ result: { outcome: { outcome: 'cancelled' } } }));
  expect(questions).toBe(2);
  expect(only(events, 'permission')).toMatchObject(Array(3).fill({ decision: 'cancelled' }));
});

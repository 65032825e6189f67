import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerScope } from '@parley/workspace/rule';
import { expect, test } from 'vitest';
import {
  answerList,
  openSession,
  type Interact,
  type PermissionAnswer,
  type StoredAnswer,
} from '../src/index.ts';
import { folder, isPosix, only, script, type FixtureOptions, type Scripted, type Step } from './harness.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

function ask(toolCallId: string, command: string): Step {
  const toolCall = { toolCallId, title: command, kind: 'execute', rawInput: { command } };
  return { request: 'session/request_permission', params: { sessionId: '$SESSION', toolCall, options } };
}

/** A user who answers each question like this, and how often they were asked. */
function answering(
  scope: AnswerScope,
  decision: 'allow' | 'deny' = 'allow',
): { count: number; interact: Interact } {
  const user = {
    count: 0,
    interact: {
      permission: () => {
        user.count += 1;
        return Promise.resolve({ kind: 'remember' as const, scope, decision });
      },
    },
  };
  return user;
}

function start(given: FixtureOptions, cwd: string): Promise<Scripted> {
  const policy = { approve: { level: 'ask', given: false }, rules: [] } as const;
  return script({ policy, name: 'mine', ...given, session: { cwd } });
}

const selected = (optionId: string): object => ({ result: { outcome: { outcome: 'selected', optionId } } });

test('an answer for the turn applies until its end, and the agent receives "allow once"', async () => {
  const user = answering('turn');
  const { play, answers, events } = await start(user, await folder());

  await play(ask('a', 'git status'), ask('b', 'git status --short'));
  await play(ask('c', 'git status'));

  expect(answers()).toEqual([selected('yes'), selected('yes'), selected('yes')]);
  expect(user.count).toBe(2);
  expect(only(events, 'permission')).toMatchObject([
    {
      by: 'person',
      reason: 'answered "allow" for this turn',
      because: { code: 'answered', lasting: { decision: 'allow', scope: 'turn' } },
    },
    {
      by: 'person',
      remembered: true,
      because: { code: 'rules', rules: [{ origin: 'answer', scope: 'turn' }] },
      reason: expect.stringContaining('your answer "allow execute') as string,
    },
    { by: 'person', reason: 'answered "allow" for this turn' },
  ]);
});

test.each<[AnswerScope, number]>([
  ['session', 2],
  ['project', 1],
  ['user', 1],
])('an answer for the %s, in another session of the project: asked %i times', async (scope, count) => {
  const answersFile = join(await folder(), 'permissions.json');
  const project = await folder();
  await mkdir(join(project, '.git'));
  await mkdir(join(project, 'deep'));
  const user = answering(scope);

  await (await start({ ...user, answersFile }, project)).play(ask('a', 'git status'), ask('b', 'git status'));
  const other = await start({ ...user, answersFile }, join(project, 'deep'));
  await other.play(ask('c', 'git status'));

  expect(user.count).toBe(count);
  if (isPosix) expect((await stat(answersFile)).mode & 0o777).toBe(0o600);
});

test('an answer for the session applies when the session resumes, and not to a new session with the same id', async () => {
  const answersFile = join(await folder(), 'permissions.json');
  const cwd = await folder();
  const user = answering('session');
  const policy = { approve: { level: 'ask', given: false }, rules: [] } as const;
  const given = { ...user, answersFile, policy, start: { capabilities: { loadSession: true } } };

  const first = await script({ ...given, session: { cwd } });
  await first.play(ask('a', 'git status'));
  const { id } = first.session;
  await (
    await script({ ...given, session: { cwd, resume: { sessionId: id } } })
  ).play(ask('b', 'git status'));
  expect(user.count).toBe(1);

  const other = await script({ ...given, session: { cwd } });
  expect(other.session.id).toBe(id);
  await other.play(ask('c', 'git status'));
  expect(user.count).toBe(2);
});

test('an answer for a session does not apply to another session of the same agent', async () => {
  const user = answering('session');
  const { play, connection, cwd } = await start(user, await folder());
  const other = await openSession(connection, { cwd });

  await play(ask('a', 'git status'));
  await other.prompt([{ type: 'text', text: JSON.stringify([ask('b', 'git status')]) }]);
  await play(ask('c', 'git status'));

  expect(user.count).toBe(2);
});

test('an answer for a project or an agent does not apply to another', async () => {
  const answersFile = join(await folder(), 'permissions.json');
  const [here, there] = [await folder(), await folder()];
  const user = answering('project');

  await (await start({ ...user, answersFile }, here)).play(ask('a', 'git status'));
  await (await start({ ...user, answersFile }, there)).play(ask('b', 'git status'));
  await (await start({ ...user, answersFile, name: 'other' }, here)).play(ask('c', 'git status'));

  expect(user.count).toBe(3);
});

test('a revoked answer stops applying at the next request', async () => {
  const answersFile = join(await folder(), 'permissions.json');
  const user = answering('user');
  const { play } = await start({ ...user, answersFile }, await folder());

  await play(ask('a', 'git status'));
  await answerList(answersFile).change(() => []);
  await play(ask('b', 'git status'));

  expect(user.count).toBe(2);
});

test('a rejection can be remembered too', async () => {
  const user = answering('session', 'deny');
  const { play, answers } = await start(user, await folder());

  await play(ask('a', 'git push'), ask('b', 'git push origin'));

  expect(answers()).toEqual([selected('no'), selected('no')]);
  expect(user.count).toBe(1);
});

test('answers that cannot be read are reported once, and later answers apply as long as the agent runs', async () => {
  const answersFile = join(await folder(), 'permissions.json');
  await writeFile(answersFile, 'oops');
  const user = answering('user');
  const { play, events } = await start({ ...user, answersFile }, await folder());

  await play(ask('a', 'git status'), ask('b', 'git status'));

  expect(user.count).toBe(1);
  expect(only(events, 'diagnostic')).toMatchObject([{ code: 'answers', level: 'warning' }]);
});

test('an option that was not offered allows nothing', async () => {
  const toolCall = { toolCallId: 'a', title: 'bash', kind: 'execute' };
  const { play, answers } = await start(answering('session'), await folder());

  await play({ request: 'session/request_permission', params: { sessionId: '$SESSION', toolCall, options } });

  expect(answers()).toEqual([{ result: { outcome: { outcome: 'cancelled' } } }]);
});

test('an answer with a longer scope than offered allows nothing', async () => {
  const cwd = await folder();
  const toolCall = {
    toolCallId: 'a',
    title: 'edit',
    kind: 'edit',
    locations: [{ path: join(cwd, 'a.txt') }],
  };
  const { play, answers } = await start(answering('user'), cwd);

  await play({ request: 'session/request_permission', params: { sessionId: '$SESSION', toolCall, options } });

  expect(answers()).toEqual([{ result: { outcome: { outcome: 'cancelled' } } }]);
});

test('an answer that arrives after the turn was cancelled is not remembered', async () => {
  let count = 0;
  const { play, answers, session } = await start(
    {
      interact: {
        permission: (_request, { signal }) => {
          count += 1;
          if (count > 1) return Promise.resolve({ kind: 'option', optionId: 'no' });
          const late = new Promise<PermissionAnswer>((resolve) => {
            signal.addEventListener('abort', () =>
              resolve({ kind: 'remember', scope: 'session', decision: 'allow' }),
            );
          });
          void session.cancel();
          return late;
        },
      },
    },
    await folder(),
  );

  await play(ask('a', 'git status'), { stop: 'cancelled' });
  await play(ask('b', 'git status'));

  expect(answers()).toEqual([{ result: { outcome: { outcome: 'cancelled' } } }, selected('no')]);
});

test('a remembered answer also answers other open requests that it covers', async () => {
  const asked = new Map<string, (answer: PermissionAnswer) => void>();
  const { play, answers, events } = await start(
    {
      interact: {
        permission: ({ toolCall: { toolCallId } }, { signal }) =>
          new Promise((resolve) => {
            asked.set(toolCallId, resolve);
            // The question is withdrawn from the user: only then is the one that is not like it answered.
            if (toolCallId === 'first') {
              signal.addEventListener('abort', () =>
                asked.get('other')?.({ kind: 'option', optionId: 'no' }),
              );
            }
            if (asked.size === 3) {
              asked.get('second')?.({ kind: 'remember', scope: 'session', decision: 'allow' });
            }
          }),
      },
    },
    await folder(),
  );

  await play({
    parallel: [ask('other', 'git push'), ask('first', 'git status'), ask('second', 'git status -s')],
  });

  expect(only(events, 'permission')).toMatchObject([
    { toolCallId: 'second', decision: 'yes', reason: 'answered "allow" for this session' },
    { toolCallId: 'first', decision: 'yes', by: 'person', remembered: true },
    { toolCallId: 'other', decision: 'no', reason: 'answered "No"' },
  ]);
  expect(answers()).toHaveLength(3);
});

test('beyond the limit, the oldest answer for a session is discarded', async () => {
  const answersFile = join(await folder(), 'permissions.json');
  const rule = { tool: 'fetch', decision: 'allow' } as const;
  const time = '2026-01-01T00:00:00.000Z';
  const before = Array.from({ length: 1000 }, (_, index): StoredAnswer => {
    const common = { id: String(index), rule, time, answersRule: false };
    return index === 0
      ? { ...common, scope: 'user' }
      : { ...common, scope: 'session', sessionId: String(index) };
  });
  await answerList(answersFile).change(() => before);

  await (await start({ ...answering('user'), answersFile }, await folder())).play(ask('a', 'git status'));

  const after = await answerList(answersFile).read();
  expect(after).toHaveLength(1000);
  expect(after.slice(0, 2).map(({ id }) => id)).toEqual(['0', '2']);
  expect(after.at(-1)).toMatchObject({ scope: 'user', rule: { commandPrefix: 'git status' } });
});

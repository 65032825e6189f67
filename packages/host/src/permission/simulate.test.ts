import type { ConfiguredRule } from '@parley/workspace/rule';
import { expect, test } from 'vitest';
import type { PermissionEvent, PermissionRequestEvent } from '../event/question-event.ts';
import { filesStore } from '../store/files/files-store.ts';
import { temporaryFolder } from '../store/temporary-folder.fixture.ts';
import type { RequestedAction } from './request/requested-action.ts';
import { simulateSession, type ChangedDecision, type SimulationCounts } from './simulate.ts';

const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

interface Past {
  readonly command: string;
  readonly action?: Partial<RequestedAction>;
  /** Without one it was never answered. */
  readonly answer?: Partial<PermissionEvent>;
  /** When it was asked, in milliseconds since 1970. */
  readonly time?: number;
  /** It was answered when all had been asked. */
  readonly isLate?: true;
}

interface Simulated extends SimulationCounts {
  readonly changed: readonly ChangedDecision[];
}

/** Writes the event log of a session with these requests, and judges them by the rules. */
async function simulate(
  past: readonly Past[],
  rules: readonly ConfiguredRule[],
  { since, cwd }: { readonly since?: number; readonly cwd?: string } = {},
): Promise<Simulated> {
  const folder = await temporaryFolder();
  const directory = cwd ?? folder;
  const store = filesStore(folder);
  let time = 1000;
  const eventLog = await store.open('k', {
    start: { agent: 'codex', cwd: directory, program: 'test' },
    onFailure: (error) => {
      throw error;
    },
    now: () => time,
  });
  eventLog.append({ type: 'session', sessionId: 's', cwd: directory, origin: 'new' });
  const late: PermissionEvent[] = [];
  for (const [index, { command, action, answer, isLate, time: asked = 1000 }] of past.entries()) {
    time = asked;
    const requestId = String(index);
    const about = { sessionId: 's', requestId, options };
    const toolCall = { toolCallId: 't', title: 'Run', kind: 'execute', rawInput: { command } } as const;
    const whole: RequestedAction = {
      kind: 'execute',
      command: { command, cwd: directory, env: [] },
      files: [],
      texts: [],
      ...action,
    };
    const request: PermissionRequestEvent = { type: 'permission-request', ...about, toolCall };
    eventLog.append(action === undefined ? request : { ...request, action: whole });
    if (answer === undefined) continue;
    const { toolCallId } = toolCall;
    const usual = { decision: 'yes', by: 'person', reason: 'answered "Yes"' } as const;
    const event: PermissionEvent = { type: 'permission', ...about, toolCallId, ...usual, ...answer };
    if (isLate === true) late.push(event);
    else eventLog.append(event);
  }
  for (const event of late) eventLog.append(event);
  await eventLog.close();
  const changed: ChangedDecision[] = [];
  const counts = await simulateSession(store, 'k', {
    policyFor: () => Promise.resolve({ rules, answers: [] }),
    now: Date.parse('2026-06-01T12:00Z'),
    ...(since !== undefined && { since }),
    onChange: (change) => void changed.push(change),
  });
  return { ...counts, changed };
}

const allow: ConfiguredRule = {
  tool: 'execute',
  commandPrefix: 'npm test',
  decision: 'allow',
  origin: 'user',
};
const deny: ConfiguredRule = { ...allow, decision: 'deny' };

test.each([
  ['the user allowed it, and is asked again', {}, [], 0],
  ['the user allowed it, and a rule does now', {}, [allow], 1],
  ['the user allowed it, and a rule denies it now', {}, [deny], 1],
  ['an answer that was remembered allowed it, and would be asked for again', { remembered: true }, [], 0],
  ['an answer that was remembered allowed it, as a rule does now', { remembered: true }, [allow], 0],
  ['a rule allowed it, and does', { by: 'rule' }, [allow], 0],
  ['a rule allowed it that is gone', { by: 'rule' }, [], 1],
  ['a rule rejected it, and one allows it now', { by: 'rule', decision: 'no' }, [allow], 1],
  ['no user was connected, and nothing decides it now', { by: 'nobody', decision: 'no' }, [], 0],
  ['no user was connected, and a rule decides it now', { by: 'nobody', decision: 'no' }, [deny], 1],
] as const)('%s', async (_name, answer, rules, count) => {
  const { changed, judged } = await simulate([{ command: 'npm test', action: {}, answer }], rules);

  expect(judged).toBe(1);
  expect(changed).toHaveLength(count);
});

test('simulate uses the approval level of the log, if it has one', async () => {
  const answer = {
    by: 'flag',
    because: { code: 'level', level: 'all', kind: 'execute', isCovered: true },
  } as const;
  const past = [{ command: 'npm test', action: {}, answer }];

  expect((await simulate(past, [])).changed).toEqual([]);
  expect((await simulate(past, [{ ...deny, decision: 'ask' }])).changed).toEqual([]);
  expect((await simulate(past, [deny])).changed).toMatchObject([
    { before: { decision: 'allow', by: 'flag' }, now: { decision: 'reject', by: 'rule' } },
  ]);
});

test('a command that ran in a sandbox is not listed as a change', async () => {
  const answer = { by: 'rule', because: { code: 'sandboxed', mode: 'workspace' } } as const;
  const past = [{ command: 'npm test', action: {}, answer }];

  expect((await simulate(past, [])).changed).toEqual([]);
  expect((await simulate(past, [deny])).changed).toHaveLength(1);
});

test('rules are read for the folder and agent of the log, at the current time', async () => {
  const past = [{ command: 'npm test', action: {}, answer: {} }];

  const counting = async (rule: Partial<ConfiguredRule>): Promise<number> =>
    (await simulate(past, [{ ...deny, ...rule }])).changed.length;

  expect(await counting({ agent: 'codex' })).toBe(1);
  expect(await counting({ agent: 'other' })).toBe(0);
  expect(await counting({ cwd: '.' })).toBe(1);
  expect(await counting({ cwd: 'elsewhere' })).toBe(0);
  expect(await counting({ until: '2026-06-01T12:01Z' })).toBe(1);
  expect(await counting({ until: '2026-06-01T11:59Z' })).toBe(0);
});

test('a request of an earlier version is judged by its call, while its folder is there', async () => {
  const past = [{ command: 'npm test', answer: {} }];

  expect(await simulate(past, [deny])).toMatchObject({
    judged: 1,
    unjudged: 0,
    changed: [{ what: 'npm test' }],
  });
  expect(await simulate(past, [deny], { cwd: '/there/is/no/such/folder' })).toMatchObject({
    judged: 0,
    unjudged: 1,
  });
});

test('unanswered requests, and those with redacted secrets, are not judged', async () => {
  const past = [
    { command: 'npm test', action: {} },
    { command: 'npm test --token=***', action: {}, answer: {} },
    { command: 'npm test', action: { kind: 'fetch', address: 'no address' }, answer: {} },
  ] as const;

  expect(await simulate(past, [deny])).toEqual({ judged: 0, unjudged: 3, changed: [] });
});

test('each request is shown in one line, without hidden characters', async () => {
  const command = 'npm test\n\u202Eecho';
  const { changed } = await simulate(
    [{ command, action: {}, answer: {} }],
    [{ ...deny, commandPrefix: 'echo' }, deny],
  );

  expect(changed).toHaveLength(1);
  expect(changed[0]?.what).not.toMatch(/[\n\u202E]/u);
});

test('older requests are omitted', async () => {
  const past = [
    { command: 'npm test', action: {}, answer: {}, time: 1000 },
    { command: 'npm test', action: {}, answer: {}, time: 3000 },
  ];

  const { judged, changed } = await simulate(past, [deny], { since: 2000 });

  expect(judged).toBe(1);
  expect(changed).toMatchObject([{ time: new Date(3000).toISOString() }]);
});

test('the number of open requests is bounded', async () => {
  const past = Array.from({ length: 70 }, () => ({
    command: 'npm test',
    action: {},
    answer: {},
    isLate: true as const,
  }));

  expect(await simulate(past, [])).toMatchObject({ judged: 64, unjudged: 6 });
});

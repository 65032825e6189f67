import { expect, test } from 'vitest';
import type { LoggedEntry } from '../event/logged-event.ts';
import type { DayUsage } from '../hub/usage-report.ts';
import { filesStore } from '../store/files/files-store.ts';
import { temporaryFolder } from '../store/temporary-folder.fixture.ts';
import { usageByDay, type UsageOptions } from './usage-by-day.ts';

const store = async (
  sessions: Readonly<Record<string, { readonly agent: string; readonly entries: readonly LoggedEntry[] }>>,
): Promise<string> => {
  const directory = await temporaryFolder();
  for (const [key, { agent, entries }] of Object.entries(sessions)) {
    const eventLog = await filesStore(directory).open(key, {
      start: { agent, cwd: '/project', program: 'test 1' },
      onFailure: (error) => {
        throw error;
      },
    });
    for (const entry of entries) {
      eventLog.append(entry, entry.type === 'update' ? JSON.stringify(entry.update) : undefined);
    }
    await eventLog.close();
  }
  return directory;
};

async function report(directory: string, options?: UsageOptions): Promise<readonly DayUsage[]> {
  const files = filesStore(directory);
  return usageByDay(files, await files.list(), options);
}

const turn = (usage?: object): LoggedEntry => ({
  type: 'turn-end',
  sessionId: 's',
  turnId: 't',
  stopReason: 'end_turn',
  ...(usage !== undefined && { usage }),
});

const cost = (amount: number, replay?: true): LoggedEntry => ({
  type: 'update',
  update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } },
  ...(replay && { replay }),
});

test('tokens and turns of all sessions of an agent in a folder are added up by day', async () => {
  const directory = await store({
    a: { agent: 'claude', entries: [turn({ inputTokens: 10, outputTokens: 1 }), turn()] },
    b: { agent: 'claude', entries: [turn({ input_tokens: 5, outputTokens: 2 })] },
    c: { agent: 'gemini', entries: [turn()] },
  });
  expect(await report(directory)).toEqual([
    expect.objectContaining({
      agent: 'claude',
      cwd: '/project',
      sessions: 2,
      turns: 3,
      tokens: { inputTokens: 15, outputTokens: 3 },
      cost: {},
    }),
    expect.objectContaining({ agent: 'gemini', sessions: 1, turns: 1 }),
  ]);
});

test('a cost counts by its growth, and not again when history is replayed', async () => {
  const directory = await store({
    a: { agent: 'claude', entries: [cost(0.5), cost(0.75), cost(0.75, true), cost(0.5, true), cost(1)] },
    b: { agent: 'claude', entries: [cost(2), cost(0.25)] },
  });
  const [day] = await report(directory);
  expect(day?.cost['USD']).toBeCloseTo(1 + 2.25);
});

test('usage of sub-agents counts as part of their session, and that of delegates in their own sessions', async () => {
  const ofSubagent = { ...cost(0.2), subagent: 'kid' } as LoggedEntry;
  const directory = await store({
    parent: {
      agent: 'claude',
      entries: [ofSubagent, cost(0.5), turn({ inputTokens: 10, outputTokens: 1 }), ofSubagent],
    },
    delegate: { agent: 'gemini', entries: [cost(0.25), turn({ inputTokens: 4, outputTokens: 2 })] },
  });
  expect(await report(directory)).toMatchObject([
    { agent: 'claude', turns: 1, tokens: { inputTokens: 10, outputTokens: 1 }, cost: { USD: 0.5 } },
    { agent: 'gemini', turns: 1, tokens: { inputTokens: 4, outputTokens: 2 }, cost: { USD: 0.25 } },
  ]);
});

test('invalid costs and token counts are ignored', async () => {
  const wrong = [
    { amount: -1, currency: 'USD' },
    { amount: 'x', currency: 'USD' },
    { amount: 1, currency: '__proto__' },
    5,
  ];
  const directory = await store({
    a: {
      agent: 'claude',
      entries: [
        turn({ inputTokens: 'many' }),
        ...wrong.map((given): LoggedEntry => ({
          type: 'update',
          update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: given },
        })),
      ],
    },
  });
  expect(await report(directory)).toEqual([expect.objectContaining({ turns: 1, cost: {} })]);
});

test('earlier days are omitted, and an unreadable event log hides no other', async () => {
  const directory = await store({ a: { agent: 'claude', entries: [turn()] } });
  expect(await report(directory, { since: Date.now() + 86_400_000 })).toEqual([]);
  const files = filesStore(directory);
  const heads = await files.list();
  const [head] = heads;
  if (head === undefined) throw new Error('the session is not listed');
  const unreadable: string[] = [];
  const rows = await usageByDay(files, [{ ...head, key: 'gone' }, head], {
    onUnreadable: ({ key }) => unreadable.push(key),
  });
  expect(rows).toHaveLength(1);
  expect(unreadable).toEqual(['gone']);
});

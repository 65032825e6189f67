import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { openSession, toLoggedEntry, type LoggedEvent, type AgentSession } from '../src/index.ts';
import { emptyState, reduce, values, type SessionState } from '../src/state/index.ts';
import { folder, only } from './harness.ts';
import { connectRaw, type RawAgent } from './raw-agent.ts';

/** What is shown of an update: parts of the view, or an item. */
interface Shown {
  readonly item?: object;
  readonly [part: string]: unknown;
}

/** An update, and what is shown of it. */
type Row = readonly [update: Readonly<Record<string, unknown>>, shown: Shown];

const content = { type: 'text', text: 'words' };
const call = { toolCallId: 'c', title: 'Call', status: 'in_progress' };
const cost = { amount: 0.5, currency: 'USD' };
const option = { id: 'o', name: 'O', type: 'boolean', currentValue: true };

const rows: readonly Row[] = [
  [{ sessionUpdate: 'user_message_chunk', content }, item({ kind: 'message', role: 'user' })],
  [
    { sessionUpdate: 'agent_message_chunk', content, messageId: 'm' },
    item({ kind: 'message', role: 'agent', messageId: 'm', blocks: [content] }),
  ],
  [{ sessionUpdate: 'agent_thought_chunk', content }, item({ kind: 'message', role: 'thought' })],
  [{ sessionUpdate: 'tool_call', ...call }, item({ kind: 'tool-call', call })],
  [
    { sessionUpdate: 'tool_call_update', ...call, status: 'completed', rawOutput: { own: 1 } },
    item({ kind: 'tool-call', call: { status: 'completed', rawOutput: { own: 1 } } }),
  ],
  [
    { sessionUpdate: 'plan', entries: [{ content: 'One', priority: 'high', status: 'blocked' }] },
    { plan: [{ content: 'One', status: 'unknown', raw: { status: 'blocked' } }] },
  ],
  [
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'help', description: 'Helps' }],
    },
    { commands: [{ name: 'help' }] },
  ],
  [{ sessionUpdate: 'current_mode_update', currentModeId: 'b' }, { modes: { currentModeId: 'b' } }],
  [{ sessionUpdate: 'config_option_update', configOptions: [option] }, { configOptions: [option] }],
  [{ sessionUpdate: 'session_info_update', title: 'A title' }, { title: 'A title' }],
  [
    { sessionUpdate: 'usage_update', used: 1, size: 2, cost },
    { usage: { context: { used: 1, size: 2 }, cost } },
  ],
  [
    { sessionUpdate: 'notice', severity: 'info', title: 'Notice' },
    item({ kind: 'notice', notice: { title: 'Notice' } }),
  ],
  [
    { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'in_progress' },
    item({ kind: 'compaction', status: 'in_progress' }),
  ],
  [
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content },
    item({ kind: 'compaction', summary: [content] }),
  ],
  unknown({ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [] } }),
  unknown({ sessionUpdate: 'plan_removed', planId: 'p' }),
  [
    { sessionUpdate: 'subagent_update', sessionId: 'a', title: 'Helper' },
    item({ kind: 'subagent', sessionId: 'a' }),
  ],
  [
    { sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'a', content: [content] },
    item({ kind: 'session-message', messageId: 'm', sender: 'a', blocks: [content] }),
  ],
  [
    { sessionUpdate: 'session_message_chunk', messageId: 'm', content },
    item({ kind: 'session-message', messageId: 'm', blocks: [content] }),
  ],
  unknown({ sessionUpdate: 'hologram', depth: 3, _meta: { own: null } }),
];

function item(expected: object): { readonly item: object } {
  return { item: expected };
}

/** What this version does not know is shown as it came. */
function unknown(raw: Readonly<Record<string, unknown>>): Row {
  return [raw, item({ kind: 'unknown', raw })];
}

test('the table has each kind of update of the protocol, including drafts', () => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@agentclientprotocol/sdk/schema/v1/schema.unstable.json');
  const text = readFileSync(file, 'utf8').replaceAll(/\s/g, '');
  const kinds = [...text.matchAll(/"sessionUpdate":\{"type":"string","const":"(\w+)"/g)].map(
    ([, kind]) => kind,
  );

  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => !rows.some(([{ sessionUpdate }]) => sessionUpdate === kind))).toEqual([]);
});

test.each(rows.map(([update, shown]) => [String(update['sessionUpdate']), update, shown] as const))(
  '%s is passed on and stored unchanged, and shown',
  async (_kind, update, { item: shownItem, ...shown }) => {
    const own = { ...update, own: [1, null] };
    const { events, view } = await hear(own);

    expect(only(events, 'update').map((event) => event.update)).toEqual([own]);
    const kept = events.map(toLoggedEntry).filter((entry) => entry?.type === 'update');
    expect(kept).toEqual([{ type: 'update', update: own }]);
    expect(view).toMatchObject(shown);
    if (shownItem !== undefined) {
      const last = [...values(view.items)].findLast(({ kind }) => kind !== 'diagnostic');
      expect(last).toMatchObject(shownItem);
    }
  },
);

test('the usage of a turn is emitted with its source', async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  const { events, view } = await hear(undefined, { stopReason: 'end_turn', _meta: { usage } });

  expect(only(events, 'turn-end')).toMatchObject([{ usage, usageFrom: '_meta.usage' }]);
  expect(view.usage).toEqual({ tokens: { inputTokens: 5, outputTokens: 2 } });
});

test('each of many open questions gets its own answer, and of equal kinds the chosen option', async () => {
  const options = [
    { optionId: 'a', name: 'This file', kind: 'allow_once' },
    { optionId: 'b', name: 'This folder', kind: 'allow_once' },
  ];
  const waiting = new Map<string, (optionId: string) => void>();
  const { agent, session } = await talk({
    policy: { approve: { level: 'ask', given: true }, rules: [] },
    interact: {
      permission: ({ toolCall }) =>
        new Promise((resolve) => {
          waiting.set(toolCall.toolCallId, (optionId) => resolve({ kind: 'option', optionId }));
          // Answered in the opposite order of asking, when all are open.
          if (waiting.size < 20) return;
          for (const [id, answer] of [...waiting].toReversed()) answer(Number(id) % 2 === 0 ? 'a' : 'b');
        }),
    },
  });

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, id) =>
      agent.request('session/request_permission', {
        sessionId: session.id,
        toolCall: { toolCallId: String(id) },
        options,
      }),
    ),
  );

  expect(answers).toEqual(
    answers.map((_, id) => ({ outcome: { outcome: 'selected', optionId: id % 2 === 0 ? 'a' : 'b' } })),
  );
});

async function talk(
  options: Parameters<typeof connectRaw>[1] = {},
  answer: object = { stopReason: 'end_turn' },
  act: (agent: RawAgent['agent']) => Promise<void> = async () => {},
): Promise<RawAgent & { readonly session: AgentSession }> {
  const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
  const raw: RawAgent = await connectRaw(
    {
      'session/new': () => ({ sessionId: 'session-1', modes }),
      'session/prompt': async () => {
        await act(raw.agent);
        return answer;
      },
    },
    options,
  );
  return { ...raw, session: await openSession(raw.connection, { cwd: await folder() }) };
}

/** One turn in which an agent says something, and what is shown then. */
async function hear(
  update: object | undefined,
  answer?: object,
): Promise<{ readonly events: RawAgent['events']; readonly view: SessionState }> {
  const { session, events } = await talk({}, answer, async (agent) => {
    if (update !== undefined) await agent.notify('session/update', { sessionId: 'session-1', update });
  });
  await session.prompt([{ type: 'text', text: 'go' }]);
  const logged = events
    .map(toLoggedEntry)
    .filter((entry) => entry !== undefined)
    .map((entry, index): LoggedEvent => ({ ...entry, seq: index + 1, time: index }));
  return { events, view: logged.reduce(reduce, emptyState) };
}

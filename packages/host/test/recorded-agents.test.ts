import { fileURLToPath } from 'node:url';
import { replayAgent } from '@parley/conformance';
import { expect, onTestFinished, test } from 'vitest';
import {
  connectAgent,
  toLoggedEntry,
  type AgentConnection,
  type HostEvent,
  type SteeringOutcome,
} from '../src/index.ts';
import { emptyState, reduce, values, type SessionState, type SubagentState } from '../src/state/index.ts';
import { approve, codes, folder, only } from './harness.ts';

// The traffic of the two adapters that ship sub-agents and steering, recorded with `openRecording` on 23 November 2026:
// claude-agent-acp 0.101.0 and codex-acp 2.6.0 (with its feature `multi_agent_v2`), both on Node 22. The model behind them
// was scripted. Only the folder and an address were renamed, and of long lists only the current value was left.

const agents = [
  {
    agent: 'claude',
    mode: 'default',
    prompts: ['Find out why the build is red', 'Run the tests and say what fails'],
    titles: ['Find the flaky test', 'Read the notes'],
    // Claude Code sends the prompt and the answer of a child as messages between sessions; Codex sends neither.
    messages: [4, 1],
    usage: [undefined, undefined],
  },
  {
    agent: 'codex',
    mode: 'read-only',
    prompts: ['Find out why CI is red', 'Run the suite and say what fails'],
    titles: ['Flaky', 'Notes'],
    messages: [0, 0],
    usage: [
      { used: 136, size: 258400 },
      { used: 135, size: 258400 },
    ],
  },
] as const;

const steering = 'Only the test of the clock matters.';

test.each(agents)(
  '$agent: sub-agents have their words, calls, permissions and state, and text is steered into a turn',
  async ({ agent, mode, prompts: [first, second], titles, messages, usage }) => {
    const { connection, events, departures, state, announced } = await play(`${agent}-live`);
    const session = await connection.openSession({ cwd: await folder(), mcpServers: [] });
    expect(session.takesSteering).toBe(true);
    await session.setOption('mode', mode);

    expect(await session.prompt([text(first)])).toMatchObject({ stopReason: 'end_turn' });

    expect(session.hasWorkingSubagents).toBe(false);
    const [tester, reader] = childrenOf(state());
    expect([tester?.title, reader?.title]).toEqual(titles);
    for (const child of [tester, reader]) {
      expect(child).toMatchObject({ work: { state: 'idle', stopReason: 'end_turn' } });
      expect(child).not.toHaveProperty('parentId');
    }
    expect(wordsOf(tester?.conversation)).toContain('I will run the tests.');
    expect(wordsOf(tester?.conversation)).toContain('The clock is wrong.');
    expect(wordsOf(reader?.conversation)).toContain('The notes are empty.');
    expect(callsOf(tester?.conversation)).toEqual([
      { title: 'touch ran.txt && echo 1 failed', status: 'completed' },
    ]);
    expect(callsOf(reader?.conversation)).toMatchObject([{ status: 'completed' }]);
    expect([tester?.conversation.usage.context, reader?.conversation.usage.context]).toEqual(usage);
    expect(only(events, 'permission').map(({ subagent }) => subagent)).toContain(tester?.sessionId);

    // The session has its own words and usage, and none of the children's.
    const own = [first, 'Two sub-agents will look into it.', 'Both have answered: the clock is wrong.'];
    expect(wordsOf(state())).toBe(own.join('|'));
    expect(sessionMessagesOf(state())).toHaveLength(messages[0]);
    expect(sessionMessagesOf(tester?.conversation)).toHaveLength(messages[1]);
    expect(state().usage.tokens).toMatchObject({ totalTokens: agent === 'claude' ? 244 : 522 });

    const outcome = announced('sleep 4; echo 1 failed').then((): Promise<SteeringOutcome> =>
      session.steer([text(steering)], { promptId: 'steered' }),
    );
    expect(await session.prompt([text(second)])).toMatchObject({ stopReason: 'end_turn' });

    expect(await outcome).toBe('steered');
    expect(wordsOf(state())).toContain(`The test of the clock fails. (seen: ${steering.slice(0, 26)})`);
    expect(await session.steer([text('And now?')])).toBe('queued');
    expect(only(events, 'steering').map((event) => event.outcome)).toEqual(['steered', 'queued']);
    expect(only(events, 'turn-end')).toHaveLength(2);
    // The sign-in that both adapters report is read where a client takes it: here none does.
    expect(new Set(codes(events))).toEqual(new Set(['ignored-notification']));
    expect(departures).toEqual([]);
  },
);

test.each(agents)(
  '$agent: a loaded session has its sub-agents as history, and what was steered as a prompt',
  async ({ agent, titles }) => {
    const { connection, departures, events, state } = await play(`${agent}-load`);

    const session = await connection.openSession({
      cwd: await folder(),
      mcpServers: [],
      resume: { sessionId: 'any', by: 'load' },
    });

    expect(session.hasWorkingSubagents).toBe(false);
    const [tester, reader] = childrenOf(state());
    expect([tester?.title, reader?.title]).toEqual(titles);
    for (const child of [tester, reader]) {
      expect(child).toMatchObject({ mayCancel: false, work: { state: 'idle' } });
    }
    expect(wordsOf(tester?.conversation)).toContain('I will run the tests.|The clock is wrong.');
    expect(callsOf(tester?.conversation)).toMatchObject([{ status: 'completed' }]);
    expect(wordsOf(state())).toContain(`${steering}|The test of the clock fails.`);
    expect(codes(events).filter((code) => code !== 'ignored-notification')).toEqual([]);
    expect(departures).toEqual([]);
  },
);

interface Played {
  readonly connection: AgentConnection;
  readonly events: readonly HostEvent[];
  readonly departures: readonly string[];
  readonly state: () => SessionState;
  /** Settles when the agent has announced the call with that title. */
  readonly announced: (title: string) => Promise<void>;
}

async function play(recording: string): Promise<Played> {
  const file = fileURLToPath(new URL(`recordings/${recording}.jsonl`, import.meta.url));
  const transport = await replayAgent(file);
  const events: HostEvent[] = [];
  const waiting = new Set<() => void>();
  const connection = await connectAgent({
    transport,
    clientInfo: { name: 'test', version: '1.0.0' },
    policy: approve('all'),
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
  });
  onTestFinished(async () => {
    await connection.end();
  });
  const announced = (title: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(() => {
        const calls = only(events, 'update').map(({ update }) => update as { readonly title?: unknown });
        if (calls.some((call) => call.title === title)) resolve();
      });
    });
  return { connection, events, departures: transport.departures, state: () => stateOf(events), announced };
}

function stateOf(events: readonly HostEvent[]): SessionState {
  let state = emptyState;
  for (const event of events) {
    const entry = toLoggedEntry(event);
    if (entry !== undefined) state = reduce(state, { ...entry, seq: state.seq + 1, time: 1000 + state.seq });
  }
  return state;
}

function childrenOf({ subagents }: SessionState): readonly SubagentState[] {
  return [...values(subagents)];
}

/** The texts of messages, each joined from its chunks. */
function wordsOf(state: SessionState | undefined): string {
  if (state === undefined) return '';
  return [...values(state.items)]
    .flatMap((item) => (item.kind === 'message' ? [item.blocks] : []))
    .map((blocks) => blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''))
    .join('|');
}

function callsOf(state: SessionState | undefined): readonly object[] {
  if (state === undefined) return [];
  return [...values(state.items)].flatMap((item) =>
    item.kind === 'tool-call' ? [{ title: item.call.title, status: item.call.status }] : [],
  );
}

function sessionMessagesOf(state: SessionState | undefined): readonly unknown[] {
  return state === undefined ? [] : [...values(state.items)].filter(({ kind }) => kind === 'session-message');
}

function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words };
}

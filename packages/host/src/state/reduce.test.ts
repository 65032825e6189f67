import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoggedEntry } from '../event/logged-event.ts';
import { parseLoggedEvent } from '../event/parse-logged-event.ts';
import { anyEvents, numbered, opening, say, update, viewOf } from './events.fixture.ts';
import { FactReader } from './fact-reader.ts';
import { at, values } from './list.ts';
import { reduceFacts } from './reduce-facts.ts';
import { reduce } from './reduce.ts';
import { isUnfinished, noFacts, runningTurn, titleOf } from './session-facts.ts';
import { emptyState, type SessionState } from './session-state.ts';
import { get } from './table.ts';
import type { Item } from './transcript/item.ts';

const turnStart = (text: string, turnId = 't1'): LoggedEntry => ({
  type: 'turn-start',
  sessionId: 's',
  turnId,
  prompt: [{ type: 'text', text }],
});
const turnEnd = (turnId = 't1', usage?: unknown): LoggedEntry => ({
  type: 'turn-end',
  sessionId: 's',
  turnId,
  stopReason: 'end_turn',
  ...(usage !== undefined && { usage }),
});

function items(state: SessionState): readonly Item[] {
  return [...values(state.items)];
}

/** What a user would read, an item a line. */
function lines(state: SessionState): readonly string[] {
  return items(state).map((item) => {
    switch (item.kind) {
      case 'message':
        return `${item.role}: ${item.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')}`;
      case 'tool-call':
        return `tool ${item.toolCallId}: ${item.outcome ?? item.call.status ?? 'new'}`;
      case 'question':
        return `question: ${item.message}`;
      case 'notice':
        return `notice: ${item.notice.title}`;
      case 'compaction':
      case 'subagent':
      case 'session-message':
      case 'file-write':
      case 'diagnostic':
      case 'interruption':
      case 'agent-end':
      case 'recovery':
      case 'omission':
      case 'unknown':
        return item.kind;
    }
  });
}

describe('for any events', () => {
  test('reducing in two steps gives the same state as in one', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(60), (events, cut) => {
        const begun = viewOf(events.slice(0, cut));
        const copy = structuredClone(begun);
        expect(viewOf(events.slice(cut), begun)).toEqual(viewOf(events));
        expect(begun).toEqual(copy);
      }),
    );
  });

  test('events that were already applied change nothing', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const state = viewOf(events);
        expect(viewOf(events, state)).toBe(state);
      }),
    );
  });

  test('a state can be stored as JSON and continued from there', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(60), (events, cut) => {
        const begun: SessionState = structuredClone(viewOf(events.slice(0, cut)));
        expect(viewOf(events.slice(cut), begun)).toEqual(viewOf(events));
      }),
    );
  });
});

describe('facts', () => {
  test('for any events, the facts reduced alone are those of the whole state', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const facts = events.reduce(reduceFacts, noFacts);
        const reader = new FactReader();
        for (const event of events) reader.take(event);
        expect(viewOf(events)).toMatchObject(facts);
        expect(reader.facts).toEqual(facts);
      }),
    );
  });

  test('a turn is open until it ends, a session until it is closed', () => {
    const running = viewOf(numbered([...opening, turnStart('hi')]));
    expect(runningTurn(running)).toMatchObject({ turnId: 't1', number: 1 });
    expect(isUnfinished(running)).toBe(true);
    const idle = viewOf(numbered([...opening, turnStart('hi'), turnEnd()]));
    expect(runningTurn(idle)).toBeUndefined();
    expect(isUnfinished(idle)).toBe(true);
    const end: LoggedEntry = { type: 'session-end', sessionId: 's', reason: 'closed' };
    expect(isUnfinished(viewOf(numbered([...opening, end])))).toBe(false);
  });

  test('an agent is being restarted until its session is open again', () => {
    const restart = { type: 'agent-restart', agent: 'a', attempt: 2, attempts: 5, delayMs: 0 } as const;
    const lost = numbered([...opening, { type: 'agent-end', expected: false }, restart]);
    expect(viewOf(lost).agentLife.process).toMatchObject({ state: 'restarting', attempt: 2 });
    const back = numbered([...opening, restart, { type: 'session-ready', sessionId: 's' }]);
    expect(viewOf(back).agentLife.process).toEqual({ state: 'running' });
  });

  test('without a title from the agent, the first prompt is the title', () => {
    const titled = [turnStart('fix  the\nparser'), update('session_info_update', { title: 'Parser' })];
    expect(titleOf(viewOf(numbered(titled)))).toBe('Parser');
    const untitled = [...titled, update('session_info_update', { title: null })];
    expect(titleOf(viewOf(numbered(untitled)))).toBe('fix the parser');
    const replayed = [say('user', 'one '), say('user', 'two'), say('agent', 'three'), say('user', 'four')];
    expect(titleOf(viewOf(numbered(replayed)))).toBe('one two');
  });
});

describe('messages', () => {
  test('consecutive chunks of one role are one message; another role or a tool call ends it', () => {
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('hi'),
        say('thought', 'hm'),
        say('thought', 'm'),
        say('agent', 'he'),
        say('agent', 'llo'),
        update('tool_call', { toolCallId: 'c', title: 'Read' }),
        update('tool_call_update', { toolCallId: 'c', status: 'completed' }),
        say('agent', 'done'),
        turnEnd(),
      ]),
    );
    expect(lines(state)).toEqual([
      'user: hi',
      'thought: hmm',
      'agent: hello',
      'tool c: completed',
      'agent: done',
    ]);
  });

  test('progress of a tool call does not split a message', () => {
    const state = viewOf(
      numbered([
        update('tool_call', { toolCallId: 'c', title: 'Read' }),
        say('agent', 'he'),
        update('tool_call_update', { toolCallId: 'c', status: 'in_progress' }),
        say('agent', 'llo'),
      ]),
    );
    expect(lines(state)).toEqual(['tool c: in_progress', 'agent: hello']);
  });

  test('chunks with one id belong together, wherever they arrive', () => {
    const state = viewOf(
      numbered([say('agent', 'a1', 'a'), say('agent', 'b1', 'b'), say('agent', 'a2', 'a')]),
    );
    expect(lines(state)).toEqual(['agent: a1a2', 'agent: b1']);
  });

  test('the time of the last addition to a message is stored, and a replay does not change it', () => {
    const said = numbered([...opening, say('agent', 'he'), say('agent', 'llo'), turnStart('and?')]);
    const before = viewOf(said);
    expect(items(before)[0]).toMatchObject({ time: 1004, lastTime: 1005 });
    expect(before.time).toBe(1006);
    const content = { type: 'text', text: 'hello, too' };
    const again: readonly LoggedEntry[] = [
      { type: 'session', sessionId: 's', cwd: '/project', origin: 'loaded' },
      { type: 'update', replay: true, update: { sessionUpdate: 'agent_message_chunk', content } },
    ];
    expect(items(viewOf(numbered(again, said.length), before))[0]).toMatchObject({ lastTime: 1005 });
  });

  test('a prompt that the agent echoes is shown once', () => {
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('hello'),
        say('user', 'hel'),
        say('user', 'lo', 'id'),
        say('agent', 'yes'),
      ]),
    );
    expect(lines(state)).toEqual(['user: hello', 'agent: yes']);
  });

  test('a message that is too long is truncated and marked', () => {
    const piece = 'x'.repeat(1024 * 1024);
    const state = viewOf(numbered(Array.from({ length: 6 }, () => say('agent', piece))));
    expect(items(state)).toMatchObject([{ cutPieces: 2 }]);
    const [item] = items(state);
    expect(item?.kind === 'message' && item.blocks.length).toBe(1);
  });
});

describe('tool calls', () => {
  test('a call is merged from its announcement, permission and updates', () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;
    const asked = numbered([
      ...opening,
      turnStart('go'),
      update('tool_call', { toolCallId: 'c', title: 'Edit', kind: 'edit' }),
      {
        type: 'permission-request',
        sessionId: 's',
        requestId: 'r',
        toolCall: { toolCallId: 'c', rawInput: 1 },
        options,
      },
    ]);
    const waiting = viewOf(asked);
    expect(waiting.phase).toBe('waiting');
    expect(waiting.questions).toMatchObject([
      { kind: 'permission', requestId: 'r', toolCallId: 'c', options },
    ]);
    const answer = { decision: 'yes', by: 'person', reason: 'answered "Yes"' } as const;
    const rest = numbered(
      [
        { type: 'permission', sessionId: 's', requestId: 'r', toolCallId: 'c', options, ...answer },
        update('tool_call_update', { toolCallId: 'c', status: 'completed', rawOutput: 2 }),
      ],
      asked.length,
    );
    const state = viewOf(rest, waiting);
    expect(state.phase).toBe('running');
    expect(state.questions).toEqual([]);
    expect(items(state).at(-1)).toMatchObject({
      call: { title: 'Edit', kind: 'edit', rawInput: 1, rawOutput: 2, status: 'completed' },
      permission: { requestId: 'r', options, answer },
    });
  });

  test.each([
    ['yes', 'completed'],
    ['no', 'failed'],
    ['cancelled', 'failed'],
  ])(
    'a connection of a program in the sandbox ends with the answer %s to its request',
    (decision, status) => {
      const options = [
        { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ] as const;
      const asked = { sessionId: 's', requestId: 'r', options };
      const action = { kind: 'fetch', files: [], texts: [], blockedHost: 'example.com:443' } as const;
      const state = viewOf(
        numbered([
          ...opening,
          { type: 'permission-request', ...asked, action, toolCall: { toolCallId: 'c', kind: 'fetch' } },
          { type: 'permission', ...asked, toolCallId: 'c', decision, by: 'person', reason: '' },
        ]),
      );
      expect(at(state.items, 0)).toMatchObject({ kind: 'tool-call', call: { status }, endedAt: 1005 });
    },
  );

  test('the reason of a permission is stored in parts where they are known, and as text where not', () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;
    const asked = { sessionId: 's', requestId: 'r', options } as const;
    const answered = (because: unknown): unknown => {
      const event = {
        type: 'permission',
        ...asked,
        toolCallId: 'c',
        decision: 'yes',
        by: 'flag',
        reason: 'so',
      };
      const logged = parseLoggedEvent({ ...event, seq: 3, time: 1, because });
      const begun = viewOf(
        numbered([
          update('tool_call', { toolCallId: 'c', title: 'Run' }),
          { type: 'permission-request', ...asked, toolCall: { toolCallId: 'c' } },
        ]),
      );
      const item = items(viewOf(logged === undefined ? [] : [logged], begun)).at(-1);
      return item?.kind === 'tool-call' ? item.permission?.answer : undefined;
    };

    const known = { code: 'level', level: 'all', isCovered: true };
    expect(answered(known)).toEqual({ decision: 'yes', by: 'flag', reason: 'so', because: known });
    const plain = { decision: 'yes', by: 'flag', reason: 'so' };
    expect(answered(undefined)).toEqual(plain);
    expect(answered({ code: 'moon', phase: 'full' })).toEqual(plain);
    expect(answered({ code: 'rules', rules: [{ tool: '*', decision: 'perhaps' }] })).toEqual(plain);
  });

  test('a call has the times when it started and finished', () => {
    const call = (status: string): LoggedEntry => update('tool_call_update', { toolCallId: 'c', status });
    const state = viewOf(
      numbered([
        update('tool_call', { toolCallId: 'c', title: 'Run' }),
        call('in_progress'),
        call('in_progress'),
        call('completed'),
        update('tool_call_update', { toolCallId: 'c', rawOutput: 1 }),
      ]),
    );
    expect(items(state)).toMatchObject([{ time: 1000, startedAt: 1001, endedAt: 1003 }]);
  });

  test("the duration of a call excludes the user's time to decide", () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;
    const asked = { sessionId: 's', requestId: 'r', options } as const;
    const state = viewOf(
      numbered([
        update('tool_call', { toolCallId: 'c', title: 'Run', status: 'in_progress' }),
        { type: 'permission-request', ...asked, toolCall: { toolCallId: 'c' } },
        { type: 'permission', ...asked, toolCallId: 'c', decision: 'yes', by: 'person', reason: '' },
        update('tool_call_update', { toolCallId: 'c', status: 'completed' }),
      ]),
    );
    expect(items(state)).toMatchObject([{ time: 1000, startedAt: 1002, endedAt: 1003 }]);
  });

  test('parallel permissions are open at the same time, and answered independently', () => {
    const request = (name: string): LoggedEntry => ({
      type: 'permission-request',
      sessionId: 's',
      requestId: name,
      toolCall: { toolCallId: name },
      options: [],
    });
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('go'),
        request('a'),
        request('b'),
        {
          type: 'permission',
          sessionId: 's',
          requestId: 'a',
          toolCallId: 'a',
          options: [],
          decision: 'cancelled',
          by: 'person',
          reason: 'x',
        },
      ]),
    );
    expect(state.questions.map(({ requestId }) => requestId)).toEqual(['b']);
    expect(state.phase).toBe('waiting');
  });

  test('a call left open by its turn has an unknown outcome', () => {
    const events = numbered([
      ...opening,
      turnStart('go'),
      update('tool_call', { toolCallId: 'c', title: 'Run', status: 'in_progress' }),
      { type: 'turn-end', sessionId: 's', turnId: 't1', error: { code: 'agent-exited', message: 'gone' } },
    ]);
    const state = viewOf(events);
    expect(lines(state)).toEqual(['user: go', 'tool c: unknown']);
    expect(at(state.turns, 0)).toMatchObject({ state: 'ended', error: { code: 'agent-exited' } });
  });

  test('a call whose question is open after its turn waits; after an interruption its outcome is unknown', () => {
    const events = numbered([
      ...opening,
      turnStart('go'),
      {
        type: 'permission-request',
        sessionId: 's',
        requestId: 'r',
        toolCall: { toolCallId: 'network_1', title: 'Connect to example.org:443', status: 'pending' },
        options: [],
      },
      turnEnd(),
    ]);
    const [, call] = items(viewOf(events));
    expect(call).toMatchObject({ kind: 'tool-call', permission: { requestId: 'r' } });
    expect(call).not.toHaveProperty('outcome');

    const interruption = { type: 'interruption', lostBytes: 0, damagedLines: 0 } as const;
    const [, lost] = items(viewOf([...events, { ...interruption, seq: 99, time: 99 }]));
    expect(lost).toMatchObject({ outcome: 'unknown' });
  });

  test('what the client did for an agent that announced no call is done', () => {
    const started = { type: 'terminal-start', sessionId: 's', command: 'ls', cwd: '/' } as const;
    const ended = { type: 'terminal-end', sessionId: 's', output: '', truncated: false } as const;
    const asked = (id: string): LoggedEntry => ({
      type: 'permission-request',
      sessionId: 's',
      requestId: id,
      toolCall: { toolCallId: id, title: id, status: 'pending' },
      options: [],
    });
    const wrote = { type: 'file-write', sessionId: 's', path: '/a', before: { kind: 'none' } } as const;
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('go'),
        asked('client_1'),
        { ...started, terminalId: 'x', toolCallId: 'client_1' },
        asked('client_2'),
        { ...started, terminalId: 'y', toolCallId: 'client_2' },
        { ...ended, terminalId: 'x', exitCode: 0 },
        { ...ended, terminalId: 'y', exitCode: 3 },
        asked('client_3'),
        { ...wrote, toolCallId: 'client_3', after: { kind: 'text', text: 'a' } },
        update('tool_call', { toolCallId: 'c', title: 'its own', status: 'pending' }),
        { ...wrote, toolCallId: 'c', after: { kind: 'text', text: 'a' } },
        { type: 'turn-end', sessionId: 's', turnId: 't1', stopReason: 'end_turn' },
      ]),
    );
    expect(items(state).filter(({ kind }) => kind === 'tool-call')).toMatchObject([
      { call: { status: 'completed', content: [{ type: 'terminal', terminalId: 'x' }] } },
      { call: { status: 'failed', content: [{ type: 'terminal', terminalId: 'y' }] } },
      { call: { status: 'completed' } },
      { call: { status: 'pending' }, outcome: 'unknown' },
    ]);
    const shown = { toolCallId: 'd', title: 'ls', content: [{ type: 'terminal', terminalId: 'x' }] };
    const [first, second] = items(reduce(state, { seq: 99, time: 99, ...update('tool_call', shown) })).filter(
      ({ kind }) => kind === 'tool-call',
    );
    expect(first).toMatchObject({ call: { status: 'completed', content: [] } });
    expect(second).toMatchObject({ call: { content: [{ type: 'terminal', terminalId: 'y' }] } });
  });

  test('the command of a terminal is found by its id in a call', () => {
    const state = viewOf(
      numbered([
        { type: 'terminal-start', sessionId: 's', terminalId: 'x', toolCallId: 'c', command: 'ls', cwd: '/' },
        update('tool_call', {
          toolCallId: 'c',
          title: 'ls',
          content: [{ type: 'terminal', terminalId: 'x' }],
        }),
        {
          type: 'terminal-end',
          sessionId: 's',
          terminalId: 'x',
          output: 'a\n',
          truncated: false,
          exitCode: 0,
        },
      ]),
    );
    expect(get(state.terminals, 'x')).toMatchObject({
      command: 'ls',
      state: 'ended',
      output: 'a\n',
      exitCode: 0,
    });
  });
});

describe('the session', () => {
  test('its state is that of its last event', () => {
    const states: string[] = [];
    const events: readonly LoggedEntry[] = [
      ...opening,
      turnStart('go'),
      { type: 'turn-cancel', sessionId: 's', turnId: 't1', step: 'asked' },
      { ...turnEnd(), stopReason: 'cancelled' } as LoggedEntry,
      { type: 'session-end', sessionId: 's', reason: 'agent-ended' },
      { type: 'agent-end', expected: false, exitCode: 1 },
      { type: 'session', sessionId: 's', cwd: '/project', origin: 'resumed' },
    ];
    numbered(events).reduce((state, event) => {
      const next = reduce(state, event);
      if (next.phase !== state.phase) states.push(next.phase);
      return next;
    }, emptyState);
    expect(states).toEqual(['ready', 'running', 'stopping', 'ready', 'closed', 'failed', 'starting']);
  });

  test('a crash of the agent and the recovery of the session are shown in order', () => {
    const crash: readonly LoggedEntry[] = [
      ...opening,
      turnStart('go'),
      { type: 'session-end', sessionId: 's', reason: 'agent-ended' },
      { type: 'agent-end', expected: false, signal: 'SIGKILL' },
      { type: 'agent-restart', agent: 'a', attempt: 1, attempts: 5, delayMs: 0 },
    ];
    const resumed = viewOf(
      numbered([
        ...crash,
        { type: 'session', sessionId: 's', cwd: '/project', origin: 'resumed' },
        { type: 'session-ready', sessionId: 's' },
        { type: 'session-recovered', sessionId: 's', by: 'resume' },
      ]),
    );
    expect(items(resumed).slice(-2)).toMatchObject([
      { kind: 'agent-end', signal: 'SIGKILL' },
      { kind: 'recovery', by: 'resume' },
    ]);

    const begunAnew = viewOf(
      numbered([
        ...crash,
        { type: 'session', sessionId: 's2', cwd: '/project', origin: 'new' },
        { type: 'session-ready', sessionId: 's2' },
        { type: 'session-recovered', sessionId: 's', by: 'new', newSessionId: 's2' },
      ]),
    );
    expect(items(begunAnew).at(-1)).toMatchObject({ kind: 'recovery', by: 'new' });
    expect(begunAnew.agentLife.idlePhase).toBe('ready');
  });

  test('a new agent session uses the ids of messages and tool calls again for others', () => {
    const call = update('tool_call', { toolCallId: 'c1', title: 'Call' });
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('go'),
        say('agent', 'before', 'm1'),
        call,
        { type: 'interruption', turnId: 't1', lostBytes: 0, damagedLines: 0 },
        { type: 'session', sessionId: 's2', cwd: '/project', origin: 'new' },
        { type: 'session-ready', sessionId: 's2' },
        say('agent', 'after', 'm1'),
        call,
      ]),
    );
    const shown = lines(state).filter((line) => /^(?:agent:|tool)/u.test(line));
    expect(shown).toEqual(['agent: before', 'tool c1: unknown', 'agent: after', 'tool c1: new']);
  });

  test('an agent that was ended on purpose is not shown', () => {
    const state = viewOf(numbered([...opening, { type: 'agent-end', expected: true, exitCode: 0 }]));
    expect(items(state)).toEqual([]);
    expect(state.phase).toBe('closed');
  });

  test('an interruption leaves nothing running, and marks unknown outcomes', () => {
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('go'),
        update('tool_call', { toolCallId: 'c', title: 'Run' }),
        { type: 'terminal-start', sessionId: 's', terminalId: 'x', toolCallId: 'c', command: 'ls', cwd: '/' },
        { type: 'elicitation-request', sessionId: 's', requestId: 'q', message: 'Why?', mode: 'form' },
        { type: 'interruption', turnId: 't1', lostBytes: 3, damagedLines: 0 },
      ]),
    );
    expect(state).toMatchObject({ phase: 'closed', questions: [] });
    expect(at(state.turns, 0)).toMatchObject({ state: 'unknown' });
    expect(get(state.terminals, 'x')).toMatchObject({ state: 'unknown' });
    expect(items(state).slice(1)).toMatchObject([
      { kind: 'tool-call', outcome: 'unknown' },
      { kind: 'question' },
      { kind: 'interruption', isLossy: true },
    ]);
  });

  test('context, cost and tokens are counted separately, and no turn twice', () => {
    const cost = { amount: 0.5, currency: 'USD' };
    const state = viewOf(
      numbered([
        ...opening,
        turnStart('a'),
        update('usage_update', { used: 10, size: 100, cost }),
        turnEnd('t1', { inputTokens: 3, outputTokens: 4 }),
        turnEnd('t1', { inputTokens: 3, outputTokens: 4 }),
        turnStart('b', 't2'),
        update('usage_update', { used: 20, size: 100 }),
        turnEnd('t2', { inputTokens: 5, cachedReadTokens: 1 }),
      ]),
    );
    expect(state.usage).toEqual({
      context: { used: 20, size: 100 },
      cost,
      tokens: { inputTokens: 8, outputTokens: 4, cachedReadTokens: 1 },
    });
  });

  test('plan, commands, mode and title are the latest ones; unknown updates are shown as received', () => {
    const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
    const raw = { sessionUpdate: 'hologram', depth: 3 };
    const state = viewOf(
      numbered([
        ...opening.slice(0, 3),
        { type: 'session-ready', sessionId: 's', modes },
        update('current_mode_update', { currentModeId: 'b' }),
        update('available_commands_update', { availableCommands: [{ name: 'help', description: 'Helps' }] }),
        update('plan', { entries: [{ content: 'One', priority: 'high', status: 'pending' }] }),
        update('plan', { entries: [{ content: 'Two', priority: 'high', status: 'pending' }] }),
        update('session_info_update', { title: 'First' }),
        update('session_info_update', { title: 'Second' }),
        { type: 'update', update: raw },
      ]),
    );
    expect(state).toMatchObject({
      title: 'Second',
      modes: { currentModeId: 'b' },
      commands: [{ name: 'help' }],
      plan: [{ content: 'Two' }],
    });
    expect(items(state)).toMatchObject([{ kind: 'unknown', raw }]);
  });
});

describe('a command that the agent runs itself', () => {
  const shownTerminal = { type: 'terminal', terminalId: 'c1' };
  const begin = update('tool_call', {
    toolCallId: 'c1',
    title: 'ls',
    kind: 'execute',
    status: 'in_progress',
    content: [shownTerminal],
    rawInput: { command: 'ls -a', cwd: '/w' },
    _meta: { terminal_info: { terminal_id: 'c1', cwd: '/w' } },
  });
  const write = (data: string, id = 'c1'): LoggedEntry =>
    update('tool_call_update', {
      toolCallId: id,
      _meta: { terminal_output_delta: { terminal_id: id, data } },
    });
  const end = update('tool_call_update', {
    toolCallId: 'c1',
    status: 'completed',
    _meta: { terminal_exit: { terminal_id: 'c1', exit_code: 0, signal: null } },
  });
  const see = (...entries: readonly LoggedEntry[]): SessionState =>
    viewOf(numbered([...opening, ...entries]));

  test('is shown with its output while it runs, and its end', () => {
    expect(get(see(begin, write('a\n')).terminals, 'c1')).toMatchObject({
      command: 'ls -a',
      cwd: '/w',
      state: 'running',
      output: 'a\n',
    });
    expect(get(see(begin, write('a\n'), write('b\n'), end).terminals, 'c1')).toMatchObject({
      state: 'ended',
      output: 'a\nb\n',
      exitCode: 0,
    });
  });

  test('is shown once when the history is replayed', () => {
    const state = see(begin, write('a\n'), end, begin, write('a\n'), end);
    expect(get(state.terminals, 'c1')).toMatchObject({ state: 'ended', output: 'a\n' });
  });

  test('is shown once when the history is replayed, even without its own end', () => {
    const call = update('tool_call', {
      toolCallId: 'r',
      title: 'Read a',
      kind: 'read',
      status: 'in_progress',
    });
    const done = update('tool_call_update', { toolCallId: 'r', status: 'completed' });
    const logged = [call, write('te', 'r'), write('xt\n', 'r'), done];
    expect(get(see(...logged, ...logged).terminals, 'r')).toMatchObject({ state: 'ended', output: 'text\n' });
  });

  test('is shown even if its call names no terminal', () => {
    const call = update('tool_call', { toolCallId: 'r', title: 'Read a', kind: 'read' });
    const [item] = items(see(call, write('text\n', 'r'))).slice(-1);
    expect(item).toMatchObject({ call: { content: [{ type: 'terminal', terminalId: 'r' }] } });
  });

  test('has an unknown end when the agent has ended', () => {
    const gone: LoggedEntry = { type: 'agent-end', expected: false, exitCode: 1 };
    expect(get(see(begin, gone).terminals, 'c1')).toMatchObject({ state: 'unknown' });
  });

  test('changes nothing of a command that the client runs', () => {
    const own: LoggedEntry = {
      type: 'terminal-start',
      sessionId: 's',
      terminalId: 'c1',
      toolCallId: 'other',
      command: 'make',
      cwd: '/w',
    };
    expect(get(see(own, begin, write('a\n')).terminals, 'c1')).toMatchObject({ command: 'make', output: '' });
  });
});

test('an unneeded notification of the agent is not shown; one that breaks the protocol is', () => {
  const logged = (level: 'info' | 'warning'): LoggedEntry => ({
    type: 'diagnostic',
    level,
    code: 'ignored-notification',
    message: '_vendor/note: ignored',
  });
  expect(lines(viewOf(numbered([...opening, logged('info')])))).toEqual([]);
  expect(lines(viewOf(numbered([...opening, logged('warning')])))).toEqual(['diagnostic']);
});

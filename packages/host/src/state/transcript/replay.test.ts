import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoggedEntry, LoggedEvent } from '../../event/logged-event.ts';
import { numbered, opening, say, update, viewOf } from '../events.fixture.ts';
import { values } from '../list.ts';
import type { SessionState } from '../session-state.ts';

/** One thing that happens in a conversation: chunks of a message, or a tool call. */
type Happening =
  | { readonly role: 'user' | 'agent' | 'thought'; readonly pieces: readonly string[]; readonly id?: string }
  | { readonly call: string };

const loaded: LoggedEntry = { type: 'session', sessionId: 's', cwd: '/project', origin: 'loaded' };
const ready: LoggedEntry = { type: 'session-ready', sessionId: 's' };

/** The conversation as it happened: prompts begin turns, the rest are updates. */
function live(happenings: readonly Happening[]): readonly LoggedEntry[] {
  return happenings.flatMap((happening, index): readonly LoggedEntry[] => {
    if ('call' in happening) return callOf(happening.call);
    const { role, pieces, id } = happening;
    if (role !== 'user') return pieces.map((piece) => say(role, piece, id));
    const turnId = String(index);
    const before: LoggedEntry = { type: 'turn-end', sessionId: 's', turnId: 'none', stopReason: 'end_turn' };
    const prompt = [{ type: 'text', text: pieces.join('') } as const];
    return [before, { type: 'turn-start', sessionId: 's', turnId, prompt }];
  });
}

function callOf(toolCallId: string): readonly LoggedEntry[] {
  const output = { content: [{ type: 'content', content: { type: 'text', text: toolCallId } }] };
  return [
    update('tool_call', { toolCallId, title: toolCallId, status: 'pending' }),
    update('tool_call_update', { toolCallId, status: 'completed', ...output }),
  ];
}

/** The same conversation, replayed by an agent: each message in as many pieces as it likes. */
function replayOf(happenings: readonly Happening[], how: 'whole' | 'in pieces'): readonly LoggedEntry[] {
  const entries = happenings.flatMap((happening): readonly LoggedEntry[] => {
    if ('call' in happening) return callOf(happening.call);
    const { role, pieces, id } = happening;
    const parts = how === 'whole' ? [pieces.join('')] : pieces;
    return parts.map((piece) => say(role, piece, id));
  });
  return [loaded, ...entries.map(asReplay), ready];
}

function asReplay(entry: LoggedEntry): LoggedEntry {
  return entry.type === 'update' ? { ...entry, replay: true } : entry;
}

/** What is shown, without when it was. */
function shown(state: SessionState): readonly unknown[] {
  const times = new Set(['seq', 'time', 'turnId', 'lastTime', 'startedAt', 'endedAt']);
  return [...values(state.items)].map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !times.has(name))),
  );
}

function follow(state: SessionState, entries: readonly LoggedEntry[]): SessionState {
  return viewOf(numbered(entries, state.seq), state);
}

const words = fc.array(fc.constantFrom('I', ' see', 'I see', 'yes', ' no', 'a'), {
  minLength: 1,
  maxLength: 3,
});

/** A conversation in which each message ends before another of its role begins, with ids or without. */
const conversation: fc.Arbitrary<readonly Happening[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.record({ role: fc.constantFrom('agent' as const, 'thought' as const), pieces: words }),
        fc.record({ role: fc.constant('user' as const), pieces: words }),
        fc.record({ call: fc.constant('') }),
      ),
      { maxLength: 25 },
    ),
    fc.boolean(),
  )
  .map(([happenings, hasIds]) =>
    happenings
      .filter((happening, index) => {
        const before = happenings[index - 1];
        return !(
          'role' in happening &&
          before !== undefined &&
          'role' in before &&
          happening.role === before.role
        );
      })
      .map((happening, index): Happening => {
        if ('call' in happening) return { call: `call-${String(index)}` };
        return hasIds && happening.role !== 'user' ? { ...happening, id: `m-${String(index)}` } : happening;
      }),
  );

describe('a history that is replayed', () => {
  test.each(['whole', 'in pieces'] as const)('is never shown twice: %s', (how) => {
    fc.assert(
      fc.property(conversation, (happenings) => {
        const before = viewOf(numbered([...opening, ...live(happenings)]));
        const once = follow(before, replayOf(happenings, how));
        expect(shown(once)).toEqual(shown(before));
        expect(shown(follow(once, replayOf(happenings, how)))).toEqual(shown(before));
      }),
      { numRuns: 500 },
    );
  });

  test('is shown completely if it was unknown, and once if it is replayed', () => {
    fc.assert(
      fc.property(conversation, (happenings) => {
        const first = viewOf(numbered([...opening.slice(0, 2), ...replayOf(happenings, 'in pieces')]));
        const known = viewOf(numbered([...opening, ...live(happenings)]));
        expect(shown(first)).toEqual(shown(known));
        expect(shown(follow(first, replayOf(happenings, 'whole')))).toEqual(shown(first));
      }),
      { numRuns: 300 },
    );
  });

  test('adds updates from the time without a client', () => {
    const early: readonly Happening[] = [
      { role: 'user', pieces: ['one'] },
      { role: 'agent', pieces: ['first'] },
    ];
    const late: readonly Happening[] = [
      { role: 'user', pieces: ['two'] },
      { call: 'c' },
      { role: 'agent', pieces: ['second'] },
    ];
    const before = viewOf(numbered([...opening, ...live(early)]));
    const after = follow(before, replayOf([...early, ...late], 'whole'));
    expect(shown(after)).toEqual(shown(viewOf(numbered([...opening, ...live([...early, ...late])]))));
  });

  test('completes a message whose end was lost', () => {
    const prompt: Happening = { role: 'user', pieces: ['go'] };
    const torn = viewOf(numbered([...opening, ...live([prompt, { role: 'agent', pieces: ['Hello wo'] }])]));
    for (const pieces of [['Hello world'], ['Hel', 'lo world'], ['Hello wo', 'rld']]) {
      const after = follow(torn, replayOf([prompt, { role: 'agent', pieces }], 'in pieces'));
      const whole = live([prompt, { role: 'agent', pieces: ['Hello world'] }]);
      expect(shown(after)).toEqual(shown(viewOf(numbered([...opening, ...whole]))));
    }
  });

  test('finishes a tool call whose outcome was not known', () => {
    const torn = viewOf(
      numbered([
        ...opening,
        ...live([{ role: 'user', pieces: ['go'] }]),
        update('tool_call', { toolCallId: 'c', title: 'c', status: 'in_progress' }),
        { type: 'interruption', turnId: '0', lostBytes: 0, damagedLines: 0 },
      ]),
    );
    const after = follow(torn, replayOf([{ role: 'user', pieces: ['go'] }, { call: 'c' }], 'whole'));
    const calls = [...values(after.items)].filter(({ kind }) => kind === 'tool-call');
    expect(calls).toMatchObject([{ call: { status: 'completed' } }]);
    expect(calls[0]).not.toHaveProperty('outcome');
  });

  test('leaves thoughts in place, which many agents do not replay', () => {
    const happenings: readonly Happening[] = [
      { role: 'user', pieces: ['go'] },
      { role: 'thought', pieces: ['hm'] },
      { role: 'agent', pieces: ['done'] },
    ];
    const before = viewOf(numbered([...opening, ...live(happenings)]));
    const spoken = happenings.filter((happening) => !('role' in happening && happening.role === 'thought'));
    expect(shown(follow(before, replayOf(spoken, 'whole')))).toEqual(shown(before));
  });

  test('with different text is added to the known history, which is never lost', () => {
    const before = viewOf(numbered([...opening, ...live([{ role: 'agent', pieces: ['first ', 'words'] }])]));
    const after = follow(before, replayOf([{ role: 'agent', pieces: ['first ', 'thoughts'] }], 'in pieces'));
    expect(shown(after)).toMatchObject([
      { blocks: [{ text: 'first words' }] },
      { blocks: [{ text: 'first thoughts' }] },
    ]);
  });

  test("ignores model input that the agent sent in the user's name", () => {
    const done = update('tool_call', { toolCallId: 't', title: 'Writing to a.txt', status: 'completed' });
    const before = viewOf(
      numbered([...opening, ...live([{ role: 'user', pieces: ['write'] }]), done, say('agent', 'Done.')]),
    );
    const replayed = [
      loaded,
      ...[
        say('user', '<context>'),
        say('user', 'write'),
        update('tool_call', { toolCallId: 't', title: 'WriteFile', status: 'completed', content: [] }),
        say('user', '[the result]'),
        say('agent', 'Done.'),
      ].map(asReplay),
      ready,
    ];
    const once = follow(before, replayed);
    expect(shown(once)).toEqual(shown(before));
    expect(shown(follow(once, replayed))).toEqual(shown(before));
  });

  test('shows a prompt from another client that has no response yet', () => {
    const before = viewOf(numbered([...opening, ...live([{ role: 'user', pieces: ['one'] }])]));
    const replayed = [
      loaded,
      ...[say('user', 'one'), say('agent', 'I'), say('user', 'two')].map(asReplay),
      ready,
    ];
    expect(shown(follow(before, replayed))).toMatchObject([
      { role: 'user' },
      { role: 'agent' },
      { role: 'user', blocks: [{ type: 'text', text: 'two' }] },
    ]);
  });

  test('does not swallow later updates', () => {
    const happenings: readonly Happening[] = [
      { role: 'user', pieces: ['go'] },
      { role: 'agent', pieces: ['done'] },
    ];
    const before = viewOf(numbered([...opening, ...live(happenings)]));
    const again: readonly LoggedEvent[] = numbered(
      [...replayOf(happenings, 'whole'), ...live(happenings)],
      before.seq,
    );
    expect(shown(viewOf(again, before))).toEqual([...shown(before), ...shown(before)]);
  });
});

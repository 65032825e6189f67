import { expect, test } from 'vitest';
import { toLoggedEntry, type AgentSession, type LoggedEvent } from '../src/index.ts';
import { emptyState, reduce, values } from '../src/state/index.ts';
import { codes, folder, only } from './harness.ts';
import { connectRaw, type RawAgent } from './raw-agent.ts';

const text = (words: string): { readonly type: 'text'; readonly text: string } => ({
  type: 'text',
  text: words,
});

interface Steered extends RawAgent {
  readonly session: AgentSession;
}

async function openSteered(
  steer: (params: unknown) => unknown,
  meta: object = { steering: { supported: true } },
): Promise<Steered> {
  const raw = await connectRaw({
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, _meta: meta }),
    '_session/steering': steer,
  });
  return { ...raw, session: await raw.connection.openSession({ cwd: await folder() }) };
}

test.each([
  [{ outcome: 'injected' }, 'steered'],
  [{ outcome: 'startedNewTurn' }, 'steered'],
  [{ outcome: 'failed' }, 'steered'],
  [{ outcome: 'promptRequired', reason: 'noRunningTurn' }, 'queued'],
])('an agent that answers %o has it %s', async (answer, outcome) => {
  const { session, received, events } = await openSteered(() => answer);
  expect(session.takesSteering).toBe(true);
  expect(await session.steer([text('Use the retry helper.')], { promptId: 'p1' })).toBe(outcome);
  expect(received.at(-1)).toEqual({
    method: '_session/steering',
    params: {
      sessionId: 'session-1',
      prompt: [text('Use the retry helper.')],
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    },
  });
  expect(only(events, 'steering')).toMatchObject([{ promptId: 'p1', outcome }]);
});

test('after an error the outcome is unknown, and the text is not sent again', async () => {
  const { session, received, events } = await openSteered(() => {
    throw new Error('it broke');
  });
  expect(await session.steer([text('more')])).toBe('unknown');
  expect(received.filter(({ method }) => method === '_session/steering')).toHaveLength(1);
  expect(only(events, 'steering')).toMatchObject([{ outcome: 'unknown', prompt: [text('more')] }]);
  expect(codes(events)).toContain('steering-unknown');
});

test('when the agent ends before it answers, the outcome is unknown', async () => {
  const { session, agent, heard, events } = await openSteered(() => new Promise(() => {}));
  const outcome = session.steer([text('more')]);
  await heard('_session/steering');
  await agent.close();
  expect(await outcome).toBe('unknown');
  expect(only(events, 'steering')).toMatchObject([{ outcome: 'unknown' }]);
});

test('steering is stored before it is sent: after a crash in between its outcome is unknown', async () => {
  const { session, events } = await openSteered(() => ({
    outcome: only(events, 'steering-request').length === 1 ? 'injected' : 'promptRequired',
  }));
  expect(await session.steer([text('more')], { promptId: 'p1' })).toBe('steered');
  const entries = events.flatMap((event) => toLoggedEntry(event) ?? []);
  const logged = entries.map((entry, index): LoggedEvent => ({ ...entry, seq: index + 1, time: 1 }));
  const sent = logged.findIndex(({ type }) => type === 'steering-request') + 1;
  const crash = { type: 'interruption', lostBytes: 0, damagedLines: 0, seq: sent + 1, time: 1 } as const;
  const marks = (last: readonly LoggedEvent[]): unknown =>
    [...values(last.reduce(reduce, emptyState).items)].flatMap((item) =>
      item.kind === 'message' ? [item.steering] : [],
    );
  expect(marks(logged.slice(0, sent))).toEqual(['sent']);
  expect(marks(logged)).toEqual(['steered']);
  expect(marks([...logged.slice(0, sent), crash])).toEqual(['unknown']);
});

test('text that is withdrawn before it is sent is not sent', async () => {
  const { session, received } = await openSteered(() => ({ outcome: 'injected' }));
  expect(await session.steer([text('more')], { isWanted: () => false })).toBe('queued');
  expect(received.map(({ method }) => method)).not.toContain('_session/steering');
});

test('an agent that does not advertise steering never receives it', async () => {
  const { session, received } = await openSteered(() => ({ outcome: 'injected' }), {});
  expect(session.takesSteering).toBe(false);
  expect(await session.steer([text('more')])).toBe('queued');
  expect(received.map(({ method }) => method)).not.toContain('_session/steering');
});

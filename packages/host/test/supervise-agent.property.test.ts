import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostEvent, PromptResult, AgentSession } from '../src/index.ts';
import type { SessionPhase } from '../src/state/index.ts';
import { folder, only, phases } from './harness.ts';
import { superviseMortal, toPrompt, type Behaviour } from './mortal-agent.ts';

/** `PARLEY_ROUNDS` multiplies the random cases, where there is time for more. */
const rounds = Number(process.env['PARLEY_ROUNDS'] ?? 1);

/** What may happen, in any order and at any moment. */
type Step =
  | { readonly do: 'prompt'; readonly session: number; readonly behaviour: Behaviour }
  | { readonly do: 'cancel'; readonly session: number }
  | { readonly do: 'crash' | 'open' | 'wait' }
  /** From now on the next start fails, or the session is not to be resumed. */
  | { readonly do: 'break' | 'forget' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('prompt' as const),
    session: fc.nat(2),
    behaviour: fc.constantFrom<Behaviour>('say one', 'wait', 'deaf', 'die', 'late', 'ask'),
  }),
  fc.record({ do: fc.constant('cancel' as const), session: fc.nat(2) }),
  fc.record({ do: fc.constantFrom('crash' as const, 'open' as const, 'wait' as const) }),
  fc.record({ do: fc.constantFrom('break' as const, 'forget' as const) }),
);

/** Which state may follow on which. */
const following: Readonly<Record<SessionPhase, readonly SessionPhase[]>> = {
  starting: ['ready', 'closed', 'failed'],
  ready: ['running', 'starting', 'closed', 'failed'],
  running: ['waiting', 'stopping', 'ready', 'starting', 'closed', 'failed'],
  waiting: ['running', 'stopping', 'ready', 'starting', 'closed', 'failed'],
  stopping: ['ready', 'starting', 'closed', 'failed'],
  closed: ['starting', 'failed'],
  failed: ['starting', 'closed'],
};

test('each turn ends once, and states and events of sessions are in order, in any sequence of failures', async () => {
  const cwd = await folder();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom('resume', 'load', 'none'),
      async (steps, way) => {
        let failures = 0;
        const refuses = new Set<string>();
        const mortal = await superviseMortal({
          capabilities: {
            ...(way === 'resume' && { sessionCapabilities: { resume: {} } }),
            loadSession: way !== 'none',
          },
          restart: { attempts: 4, delayMs: 0 },
          refuses,
          failStart: () => {
            if (failures === 0) return undefined;
            failures -= 1;
            return new Error('not today');
          },
        });
        const { agent, events } = mortal;
        const sessions: AgentSession[] = [await agent.openSession({ cwd })];
        // The agent may die of it.
        const tryToOpen = (): Promise<AgentSession[]> =>
          agent.openSession({ cwd }).then(
            (opened) => [opened],
            () => [],
          );
        const turns: Promise<PromptResult | Error>[] = [];
        const asError = (error: unknown): Error =>
          error instanceof Error ? error : new Error(String(error));

        for (const what of steps) {
          const session = 'session' in what ? sessions[what.session % sessions.length] : undefined;
          switch (what.do) {
            case 'prompt':
              if (session !== undefined) turns.push(session.prompt(toPrompt(what.behaviour)).catch(asError));
              break;
            case 'cancel':
              void session?.cancel({ graceMs: 0 });
              break;
            case 'crash':
              void mortal.crash();
              break;
            case 'open':
              if (sessions.length < 3) sessions.push(...(await tryToOpen()));
              break;
            case 'wait':
              await new Promise((resolve) => setImmediate(resolve));
              break;
            case 'break':
              failures = 1;
              break;
            case 'forget':
              refuses.add('session/resume');
              break;
          }
        }
        // The deaf and the waiting end, one way or the other.
        await new Promise((resolve) => setImmediate(resolve));
        failures = 0;
        await Promise.all(sessions.map((session) => session.cancel({ graceMs: 0 })));
        const results = await Promise.all(turns);

        for (const result of results) {
          if (!(result instanceof Error)) continue;
          expect(result).toMatchObject({ name: 'HostError' });
          expect(result).toHaveProperty('code', expect.stringMatching(/^(agent-exited|turn-running)$/));
        }
        if (agent.state !== 'failed') {
          for (const session of sessions) {
            const turn = session.prompt(toPrompt('say end'));
            await expect(turn).resolves.toEqual({
              stopReason: 'end_turn',
              response: expect.anything() as unknown,
            });
          }
          expect(agent.state).toBe('ready');
        }
        await agent.end();
        expectOrder(events);
      },
    ),
    { numRuns: 50 * rounds },
  );
});

function expectOrder(events: readonly HostEvent[]): void {
  const started = only(events, 'turn-start').map(({ turnId }) => turnId);
  const ended = only(events, 'turn-end').map(({ turnId }) => turnId);
  expect([...ended].toSorted()).toEqual([...started].toSorted());
  expect(new Set(started).size).toBe(started.length);
  const open = new Map<string, string>();
  let isThere = false;
  for (const event of events) {
    switch (event.type) {
      case 'agent-start':
        expect(isThere).toBe(false);
        isThere = true;
        break;
      case 'agent-end':
        isThere = false;
        break;
      case 'turn-start':
        expect(open.get(event.sessionId)).toBeUndefined();
        open.set(event.sessionId, event.turnId);
        break;
      case 'turn-end':
        expect(open.get(event.sessionId)).toBe(event.turnId);
        open.delete(event.sessionId);
        break;
      case 'update':
        // A turn's words come within it, or say that they do not.
        if (open.has(event.sessionId)) break;
        expect(event.late || event.replay || !isOfTurn(event.view.sessionUpdate)).toBe(true);
        break;
      default:
        break;
    }
  }
  expect(isThere).toBe(false);
  const sessionIds = new Set(only(events, 'session').map(({ sessionId }) => sessionId));
  for (const sessionId of sessionIds) {
    const [first, ...others] = phases(events, sessionId);
    expect(first).toBe('starting');
    let before = first;
    for (const phase of others) {
      if (before !== undefined) expect(following[before]).toContain(phase);
      before = phase;
    }
    expect(before === 'closed' || before === 'failed').toBe(true);
  }
}

function isOfTurn(kind: string): boolean {
  return kind === 'agent_message_chunk' || kind === 'tool_call';
}

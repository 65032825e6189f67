import { expect, onTestFinished, test, vi } from 'vitest';
import { describeWait } from '../src/index.ts';
import { approve, folder, only, script } from './harness.ts';
import { superviseMortal, toPrompt } from './mortal-agent.ts';

const openCall = {
  update: { sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'npm test', kind: 'execute' },
};

/** Lets a test say how much time has passed, from here on. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a turn that is silent for too long is cancelled, after an event with the reason for the wait', async () => {
  const { session, events } = await script();
  const steps = [openCall, { waitForCancel: true }, { stop: 'cancelled' }];

  const result = await session.prompt([{ type: 'text', text: JSON.stringify(steps) }], {
    idleTimeoutMs: 300,
  });

  expect(result).toEqual({
    stopReason: 'cancelled',
    response: expect.anything() as unknown,
    reached: 'silence',
  });
  const [timeout] = only(events, 'turn-timeout');
  expect(timeout).toMatchObject({ limit: 'silence', limitMs: 300 });
  expect(timeout?.waitsFor).toMatchObject({
    toolCalls: [{ toolCallId: 'call-1', title: 'npm test', kind: 'execute' }],
    questions: 0,
    ...(process.platform === 'linux' && { process: expect.stringMatching(/^(busy|idle)$/) }),
  });
  expect(timeout?.waitsFor.silentMs).toBeGreaterThanOrEqual(300);
  const types = events.map(({ type }) => type).filter((type) => type.startsWith('turn-'));
  expect(types).toEqual(['turn-start', 'turn-timeout', 'turn-cancel', 'turn-end']);
});

test('a turn that takes too long is cancelled, even while it sends updates', async () => {
  const { session, events } = await script();
  const steps = [{ waitForCancel: true }, { say: 'stopped' }, { stop: 'cancelled' }];

  const result = await session.prompt([{ type: 'text', text: JSON.stringify(steps) }], {
    timeoutMs: 100,
    idleTimeoutMs: 60_000,
  });

  expect(result).toEqual({
    stopReason: 'cancelled',
    response: expect.anything() as unknown,
    reached: 'turn',
  });
  expect(only(events, 'turn-timeout')).toMatchObject([{ limit: 'turn', limitMs: 100 }]);
});

test('a question that ends because of a limit was answered by no user', async () => {
  const { agent, events } = await superviseMortal({
    policy: approve('ask'),
    interact: { permission: () => new Promise(() => {}) },
  });
  const session = await agent.openSession({ cwd: await folder() });

  await session.prompt(toPrompt('ask'), { timeoutMs: 100 });

  expect(only(events, 'permission')).toMatchObject([
    { decision: 'cancelled', by: 'nobody', because: { code: 'turn-timeout' } },
  ]);
});

test('a turn within its limits is not affected', async () => {
  const { session, events } = await script();

  const result = await session.prompt([{ type: 'text', text: '[]' }], {
    timeoutMs: 60_000,
    idleTimeoutMs: 60_000,
  });

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(only(events, 'turn-timeout')).toEqual([]);
});

test('the time a user takes to answer is not the agent’s silence', async () => {
  const { agent, events } = await superviseMortal({
    policy: approve('ask'),
    interact: {
      permission: async () => {
        await vi.advanceTimersByTimeAsync(600);
        return { kind: 'option', optionId: 'yes' };
      },
    },
  });
  const session = await agent.openSession({ cwd: await folder() });
  holdTime();

  const result = await session.prompt(toPrompt('ask'), { idleTimeoutMs: 400 });

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(only(events, 'turn-timeout')).toEqual([]);
});

test('backpressure on the agent does not count as silence', async () => {
  const { agent, events } = await superviseMortal({
    slowReader: async () => void (await vi.advanceTimersByTimeAsync(600)),
  });
  const session = await agent.openSession({ cwd: await folder() });
  holdTime();

  const result = await session.prompt(toPrompt('say hello'), { idleTimeoutMs: 400 });

  expect(result).toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
  expect(only(events, 'turn-timeout')).toEqual([]);
});

test('the event has the complete reason for the wait, and the user sees one line', async () => {
  const { agent, events, next } = await superviseMortal();
  const session = await agent.openSession({ cwd: await folder() });
  holdTime();

  const opened = next((event) => event.type === 'update' && event.view.sessionUpdate === 'tool_call');
  const turn = session.prompt(toPrompt('wait'), { timeoutMs: 50 });
  await opened;
  await vi.advanceTimersByTimeAsync(50);
  await turn;

  const [timeout] = only(events, 'turn-timeout');
  expect(timeout && describeWait(timeout.waitsFor)).toMatch(
    /^the agent was silent for 0\.\d+ s; open tool calls: "Work"$/,
  );
});

import { expect, test } from 'vitest';
import { ApplicationTools, keptAnswerMs } from './application-tools.ts';
import type { AgentToolCall } from './tool-endpoint.ts';

const call = { name: 'get_weather', input: { city: 'Oslo', days: [1, 2] } };
const patient = new AbortController().signal;

/** Tools whose answers a test gives, in order, and whose clock it sets. */
function openTools(): {
  readonly tools: ApplicationTools;
  readonly calls: AgentToolCall[];
  readonly settle: ((text: string) => void)[];
  readonly clock: { now: number };
} {
  const calls: AgentToolCall[] = [];
  const settle: ((text: string) => void)[] = [];
  const clock = { now: 0 };
  const tools = new ApplicationTools({
    tools: [{ name: 'get_weather', description: '', parameters: true }],
    now: () => clock.now,
    call: (made) => {
      calls.push(made);
      return new Promise((resolve) => settle.push(resolve));
    },
  });
  return { tools, calls, settle, clock };
}

/** A call that the agent cancels before there is an answer. */
async function abandon(tools: ApplicationTools, made: AgentToolCall = call): Promise<void> {
  const patience = new AbortController();
  const answer = tools.answer(made, patience.signal);
  patience.abort(new Error('too long'));
  await expect(answer).rejects.toThrow('too long');
}

test('two equal calls at the same time are separate calls', async () => {
  const { tools, calls, settle } = openTools();

  const answers = Promise.all([tools.answer(call, patient), tools.answer({ ...call }, patient)]);
  settle[0]?.('first');
  settle[1]?.('second');

  expect(await answers).toEqual(['first', 'second']);
  expect(calls).toHaveLength(2);
});

test('a call equal to an abandoned one gets its answer, once', async () => {
  const { tools, calls, settle } = openTools();
  await abandon(tools);

  const again = tools.answer({ name: call.name, input: { days: [1, 2], city: 'Oslo' } }, patient);
  settle[0]?.('late');
  expect(await again).toBe('late');
  void tools.answer(call, patient);

  expect(calls).toHaveLength(2);
});

test('a call with another input, or of another tool, is another call', async () => {
  const { tools, calls } = openTools();
  await abandon(tools);

  void tools.answer({ ...call, input: { city: 'Bergen' } }, patient);
  void tools.answer({ ...call, name: 'get_time' }, patient);

  expect(calls).toHaveLength(3);
});

test('an answer without a waiting call is stored for a limited time', async () => {
  const { tools, calls, settle, clock } = openTools();
  await abandon(tools);
  settle[0]?.('soon old');
  await Promise.resolve();

  clock.now = keptAnswerMs;
  expect(await tools.answer(call, patient)).toBe('soon old');
  await abandon(tools);
  settle[1]?.('old');
  await Promise.resolve();
  clock.now = 2 * keptAnswerMs + 1;
  void tools.answer(call, patient);

  expect(calls).toHaveLength(3);
});

test('a repeated call joins one that the application still works on', async () => {
  const { tools, calls, clock } = openTools();
  await abandon(tools);

  clock.now = 100 * keptAnswerMs;
  void tools.answer(call, patient);

  expect(calls).toHaveLength(1);
});

test('nothing is asked after the end', async () => {
  const { tools, calls } = openTools();

  tools.close();

  await expect(tools.answer(call, patient)).rejects.toThrow('the session cannot be continued');
  expect(calls).toHaveLength(0);
});

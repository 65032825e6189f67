import { expect, test } from 'vitest';
import { openSession } from '../src/index.ts';
import { approve, codes, folder, isAlive, only, isPosix, script } from './harness.ts';
import { connectRaw } from './raw-agent.ts';

test("a cancelled turn ends with the agent's stop reason", async () => {
  const { play, session, event, events } = await script();
  const turn = play({ say: '1' }, { waitForCancel: true }, { stop: 'cancelled' });
  await event('update');

  await session.cancel();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  expect(codes(events)).toEqual([]);
});

test('aborting the signal of a prompt cancels it without an error', async () => {
  const { session, event } = await script();
  const controller = new AbortController();
  const steps = [{ say: '1' }, { waitForCancel: true }, { stop: 'cancelled' }];
  const turn = session.prompt([{ type: 'text', text: JSON.stringify(steps) }], { signal: controller.signal });
  await event('update');

  controller.abort();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });
  await expect(session.prompt([], { signal: controller.signal })).resolves.toEqual({
    stopReason: 'cancelled',
  });
});

test('updates after a cancel are emitted until the turn has ended', async () => {
  const { play, session, event, events } = await script();
  const turn = play({ say: '1' }, { waitForCancel: true }, { say: '2' }, { stop: 'cancelled' });
  await event('update');

  void session.cancel();
  await turn;

  expect(only(events, 'update').map((update) => update.late)).toEqual([false, false]);
});

test('an error response to a cancelled prompt counts as cancelled', async () => {
  const { play, session, event, events } = await script();
  const turn = play({ say: '1' }, { waitForCancel: true }, { error: { code: -32603, message: 'aborted' } });
  await event('update');

  await session.cancel();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled' });
  expect(codes(events)).toEqual(['cancel-error']);
});

test('an agent that does not end a cancelled turn is terminated after the grace period', async () => {
  const { play, session, event, connection, events } = await script();
  const turn = play({ say: '1' }, { forever: true });
  await event('update');

  await session.cancel({ graceMs: 1 });

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', agentEnded: true });
  await expect(connection.exited).resolves.toBeDefined();
  expect(codes(events)).toEqual(['agent-ended']);
  await expect(play()).rejects.toMatchObject({ code: 'closed' });
});

test('an agent that reacts only to $/cancel_request is not terminated, and each step is an event', async () => {
  const { play, session, event, connection, events } = await script();
  const turn = play(
    { say: '1' },
    { waitForRequestCancel: true },
    { error: { code: -32800, message: 'cancelled' } },
  );
  await event('update');

  await session.cancel({ graceMs: 1000 });

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled' });
  expect(only(events, 'turn-cancel').map(({ step }) => step)).toEqual(['asked', 'request-cancelled']);
  expect(codes(events)).toEqual([]);
  expect(connection.isOver).toBe(false);
});

test('a second cancel without a grace period does not wait for the first', async () => {
  const { play, session, event } = await script();
  const turn = play({ say: '1' }, { forever: true });
  await event('update');

  void session.cancel({ graceMs: 3_600_000 });
  void session.cancel({ graceMs: 0 });

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', agentEnded: true });
});

test('an agent that crashes on a cancel has cancelled the turn', async () => {
  const { play, session, event } = await script();
  const turn = play({ say: '1' }, { waitForCancel: true }, { exit: 9 });
  await event('update');

  await session.cancel();

  await expect(turn).resolves.toEqual({ stopReason: 'cancelled', agentEnded: true });
});

test('open questions are answered before the grace period starts', async () => {
  let isWanted = true;
  const { play, session, event, answers, events } = await script({
    policy: approve('ask'),
    interact: {
      elicitation: (_request, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isWanted = false;
          });
          void session.cancel();
        }),
    },
  });
  const request = {
    sessionId: '$SESSION',
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: {} },
  };

  await play({ request: 'elicitation/create', params: request }, { stop: 'cancelled' });
  await event('elicitation');

  expect(isWanted).toBe(false);
  expect(answers()).toEqual([{ result: { action: 'cancel' } }]);
  expect(only(events, 'elicitation')).toMatchObject([{ message: 'Which?', action: 'cancel', by: 'person' }]);
});

test('a cancel without a turn does nothing', async () => {
  const { play, session } = await script();

  await session.cancel();

  await expect(play()).resolves.toEqual({ stopReason: 'end_turn', response: expect.anything() as unknown });
});

test.runIf(isPosix)('ending the agent during a turn ends the turn with that reason', async () => {
  const { play, connection, event } = await script({ start: { grandchild: true } });
  const { text } = await event('stderr');
  const grandchild = Number(text.replace('grandchild ', ''));
  const turn = play({ say: '1' }, { forever: true });
  await event('update');

  const ended = connection.end();

  await expect(turn).rejects.toMatchObject({ code: 'closed' });
  await ended;
  expect(isAlive(grandchild)).toBe(false);
});

test.each([
  [
    'session/request_permission',
    {
      toolCall: { toolCallId: 'c', kind: 'edit' },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    },
    { outcome: { outcome: 'cancelled' } },
    [{ type: 'permission-request' }, { type: 'permission', decision: 'cancelled', by: 'person' }],
  ],
  [
    'elicitation/create',
    { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
    { action: 'cancel' },
    [{ type: 'elicitation-request' }, { type: 'elicitation', action: 'cancel', by: 'person' }],
  ],
])(
  '%s that comes after the cancel is answered at once, without a question, and recorded',
  async (method, params, answer, expected) => {
    const asked: string[] = [];
    const ask = async (): Promise<never> => {
      asked.push(method);
      throw new Error('no client asked for this');
    };
    let endTurn = (_answer: object): void => {};
    const { connection, agent, events, heard } = await connectRaw(
      {
        'session/prompt': () =>
          new Promise((resolve) => {
            endTurn = resolve;
          }),
      },
      { policy: approve('ask'), interact: { permission: ask, elicitation: ask } },
    );
    const session = await openSession(connection, { cwd: await folder() });
    const turn = session.prompt([{ type: 'text', text: 'go' }]);
    await heard('session/prompt');
    void session.cancel();
    await heard('session/cancel');

    await expect(agent.request(method, { sessionId: session.id, ...params })).resolves.toEqual(answer);
    endTurn({ stopReason: 'cancelled' });
    await expect(turn).resolves.toEqual({ stopReason: 'cancelled', response: expect.anything() as unknown });

    expect(asked).toEqual([]);
    const emitted = events.slice(
      0,
      events.findIndex(({ type }) => type === 'turn-end'),
    );
    expect(emitted.slice(-2)).toMatchObject(expected);
  },
);

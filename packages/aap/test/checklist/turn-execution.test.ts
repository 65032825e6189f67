import type { Run } from '@parley/aap/server';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../fake-clock.ts';
import { eventsOf, everything, inShort, json, readUntil, says, stage, stageOf } from '../stage.ts';

const trusted = { agent: { name: 'tester', tools: [{ name: 'read', trust: true }, { name: 'edit' }] } };

/** Waits for the end of the run. */
function stopped({ signal }: Run): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

test('row 69, 72: a trusted tool runs without a stop; tools are not trusted by default', async () => {
  const { create, turn } = stage(async (run) => {
    await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: 'text' });
    await run.permission({ toolCallId: 'c2', name: 'edit', input: {} });
  });
  expect(inShort(await turn(await create(trusted), says('go')))).toEqual([
    'turn_start',
    'tool_call c1',
    'tool_result c1="text"',
    'tool_call c2',
    'turn_stop tool_use',
  ]);
});

test('row 70: a turn stops for the application only when one of its calls is open', async () => {
  const { create, turn } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'inline', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: '' });
  });
  expect(inShort(await turn(await create(), says('go'))).at(-1)).toBe('turn_stop end_turn');
});

test('row 71: trusted calls of a mixed batch run concurrently and finish before the stop', async () => {
  let running = 0;
  let most = 0;
  const { create, turn } = stage(async (run) => {
    const read = async (toolCallId: string): Promise<void> => {
      await run.permission({ toolCallId, name: 'read', input: {} });
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      running -= 1;
      await run.toolResult({ toolCallId, content: 'text' });
    };
    await Promise.all([
      run.permission({ toolCallId: 'held', name: 'edit', input: {} }),
      read('c1'),
      read('c2'),
    ]);
  });
  expect(inShort(await turn(await create(trusted), says('go')))).toEqual([
    'turn_start',
    'tool_call c1',
    'tool_call c2',
    'tool_result c1="text"',
    'tool_result c2="text"',
    'tool_call held',
    'turn_stop tool_use',
  ]);
  expect(most).toBe(2);
});

test('row 73: a tool of the application cannot be trusted', async () => {
  const { create, send } = stage(async () => undefined);
  const sessionId = await create();
  const response = await send('POST', `/sessions/${sessionId}/turns`, {
    ...says('hi'),
    agent: { tools: [{ name: 'look_up', trust: true }] },
  });
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({ code: 'unknown_tool' });
});

test.each(['delta', 'message', 'none'])(
  'row 74, 75: in mode %s a grant and a denial both bring a result',
  async (stream) => {
    const { create, turn, send } = stage(async (run) => {
      await Promise.all([
        run.permission({ toolCallId: 'c1', name: 'read', input: {} }),
        run.permission({ toolCallId: 'c2', name: 'edit', input: {} }),
      ]);
      await run.toolResult({ toolCallId: 'c1', content: 'text' });
      await run.text('Done.');
    });
    const sessionId = await create();
    await turn(sessionId, says('go'));
    const messages = [
      { role: 'tool_permission', toolCallId: 'c1', granted: true },
      { role: 'tool_permission', toolCallId: 'c2', granted: false },
    ];
    const response = await send('POST', `/sessions/${sessionId}/turns`, { messages, stream });
    if (stream === 'none') {
      expect(await json(response)).toMatchObject({
        stopReason: 'end_turn',
        messages: [
          { role: 'tool', toolCallId: 'c2', content: 'Tool call denied' },
          { role: 'tool', toolCallId: 'c1', content: 'text' },
          { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        ],
      });
      return;
    }
    expect(inShort(await eventsOf(response))).toEqual([
      'turn_start',
      'tool_result c2="Tool call denied"',
      'tool_result c1="text"',
      stream === 'delta' ? 'text_delta Done.' : 'text Done.',
      'turn_stop end_turn',
    ]);
  },
);

test('row 76, 77: a result is text or blocks, and has a flag for failure', async () => {
  const blocks = [
    { type: 'text', text: 'a' },
    { type: 'image', url: 'data:image/png;base64,AAAA' },
  ] as const;
  const { create, turn } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: blocks });
    await run.toolCall({ toolCallId: 'c2', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c2', content: 'Error: no such file' }, { isError: true });
    await run.toolResult({ toolCallId: 'c2', content: 'a second result' });
  });
  const events = await turn(await create(), says('go'));
  expect(events.flatMap(({ event, data }) => (event === 'tool_result' ? [data] : []))).toEqual([
    { toolCallId: 'c1', content: blocks },
    { toolCallId: 'c2', content: 'Error: no such file', isError: true },
  ]);
});

test('row 78: the input of an application tool is checked against its parameters', async () => {
  const parameters = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
  const { create, turn } = stage(async (run) => {
    for (const [toolCallId, input] of [
      ['c1', {}],
      ['c2', { word: 7 }],
      ['c3', { word: 'x' }],
    ] as const) {
      try {
        await run.callClientTool({ toolCallId, name: 'look_up', input });
      } catch (error) {
        await run.text(error instanceof Error && 'code' in error ? String(error.code) : '');
      }
    }
  });
  const sessionId = await create({ tools: [{ name: 'look_up', description: '', parameters }] });
  expect(inShort(await turn(sessionId, says('go')))).toEqual([
    'turn_start',
    'text_delta invalid-input',
    'text_delta invalid-input',
    'tool_call c3',
    'turn_stop tool_use',
  ]);
});

test.each(['max_tokens', 'refusal', 'end_turn'] as const)(
  'row 79: a run may end with %s',
  async (stopReason) => {
    const { create, turn } = stage(async () => ({ stopReason, usage: { inputTokens: 7 }, detail: 'finer' }));
    expect((await turn(await create(), says('go'))).at(-1)?.data).toEqual({
      stopReason,
      usage: { inputTokens: 7 },
      detail: 'finer',
    });
  },
);

test.each(['delta', 'message'])(
  'row 80: an error in mode %s is one stop, with the reason',
  async (stream) => {
    const { create, turn } = stage(async (run) => {
      await run.text('half');
      throw new Error('the model is gone');
    });
    const events = await turn(await create(), { ...says('go'), stream });
    expect(events.filter(({ event }) => event === 'turn_stop').map(({ data }) => data)).toEqual([
      { stopReason: 'error', error: { code: 'agent_failed', message: 'the model is gone' } },
    ]);
    expect(events.at(-1)?.event).toBe('turn_stop');
  },
);

test('row 80: an error in mode none is a response with the reason and the messages', async () => {
  const { create, send } = stage(async (run) => {
    await run.text('half');
    return { stopReason: 'error', error: { code: 'agent_auth_required', message: 'Sign in first.' } };
  });
  const response = await send('POST', `/sessions/${await create()}/turns`, says('go'));
  expect(response.status).toBe(200);
  expect(await json(response)).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_auth_required', message: 'Sign in first.' },
    messages: [{ role: 'assistant', content: [{ type: 'text', text: 'half' }] }],
  });
});

test('row 81: a turn that takes too long ends, even if the agent does not react', async () => {
  const { create, turn } = stage(
    async (run) => {
      await run.text('for ever');
      await new Promise(() => undefined);
    },
    { limits: { turnMs: 5, stopMs: 5 } },
  );
  expect((await turn(await create(), says('go'))).at(-1)?.data).toMatchObject({
    stopReason: 'error',
    error: { code: 'deadline' },
    detail: 'deadline',
  });
});

describe('row 82', () => {
  const slow = (done: Promise<void>) => async (run: Run) => {
    await run.text('one');
    await Promise.race([done, stopped(run)]);
    await run.text('two');
  };

  test('a turn continues when its reader disconnects, and can be read to its end later', async () => {
    let finish: () => void = () => undefined;
    const { create, send, history } = stage(
      slow(
        new Promise((resolve) => {
          finish = resolve;
        }),
      ),
    );
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    const turnId = response.headers.get('aap-turn-id') ?? '';
    await readUntil(response, 'one');
    const again = await send('GET', `/sessions/${sessionId}/turns/${turnId}/events`, undefined, {
      'last-event-id': '2',
    });
    finish();
    expect(inShort(await eventsOf(again))).toEqual(['text_delta two', 'turn_stop end_turn']);
    expect((await history(sessionId)).at(-1)).toMatchObject({ content: [{ text: 'onetwo' }] });
  });

  test('or is cancelled, where the server is configured so', async () => {
    const { create, send } = stage(slow(new Promise(() => undefined)), { onDisconnect: 'cancel' });
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}`;
    await readUntil(response, 'one');
    const events = await eventsOf(await send('GET', `${path}/events`));
    expect(events.at(-1)?.data).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  });

  test('but not when a read-only client disconnects', async () => {
    let finish: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { create, send } = stage(slow(done), {
      onDisconnect: 'cancel',
      authorize: ({ headers }) => ({ seesAll: true, isReadOnly: headers.has('x-looks') }),
    });
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}`;
    await readUntil(await send('GET', `${path}/events`, undefined, { 'x-looks': '1' }), 'one');
    finish();
    expect(inShort(await eventsOf(response)).at(-1)).toBe('turn_stop end_turn');
  });

  test('also when the caller of mode none disconnects', async () => {
    const { create, server, send } = stage(slow(new Promise(() => undefined)), { onDisconnect: 'cancel' });
    const sessionId = await create();
    const abort = new AbortController();
    const request = new Request(`http://localhost/sessions/${sessionId}/turns`, {
      method: 'POST',
      body: JSON.stringify(says('go')),
      headers: { 'content-type': 'application/json' },
      signal: abort.signal,
    });
    const answer = server.handle(request);
    for (;;) {
      const { status } = await json(await send('GET', `/sessions/${sessionId}`));
      if (status === 'running') break;
    }
    abort.abort();
    expect(await json(await answer)).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  });
});

describe('row 83', () => {
  test('a cancelled turn ends with the error "cancelled", and its messages are stored', async () => {
    const { create, send, history } = stage(async (run) => {
      await run.text('one');
      await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
      await stopped(run);
      await run.text(' and last words');
    });
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}`;
    expect(await json(await send('GET', path))).toMatchObject({ status: 'running' });
    const cancelled = await send('POST', `${path}/cancel`, {});
    expect(await json(cancelled)).toMatchObject({
      status: 'stopped',
      stopReason: 'error',
      detail: 'cancelled',
    });
    expect(inShort(await eventsOf(response))).toEqual([
      'turn_start',
      'text_delta one',
      'tool_call c1',
      'text_delta  and last words',
      expect.stringMatching(/^tool_result c1="The outcome of this call is unknown/),
      'turn_stop error',
    ]);
    expect((await history(sessionId)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect((await send('POST', `${path}/cancel`)).status).toBe(200);
    expect((await send('POST', `/sessions/${sessionId}/turns/unknown/cancel`)).status).toBe(404);
  });

  test('an agent that ignores the cancel is abandoned', async () => {
    let isOver = false;
    const { create, send, turn } = stage(
      async (run) => {
        if (run.history.length > 0) return run.text('new');
        await stopped(run);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        try {
          for (;;) await run.text('more');
        } finally {
          isOver = true;
        }
      },
      { limits: { stopMs: 1 } },
    );
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    await send('POST', `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}/cancel`);
    expect(inShort(await eventsOf(response))).toEqual(['turn_start', 'turn_stop error']);
    expect(inShort(await turn(sessionId, says('go')))).toEqual([
      'turn_start',
      'text_delta new',
      'turn_stop end_turn',
    ]);
    await expect.poll(() => isOver).toBe(true);
  });

  test('questions that were not sent yet are denied', async () => {
    let answer: unknown;
    const { create, send } = stage(
      async (run) => {
        answer = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      },
      { limits: { quietMs: 60_000 } },
    );
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    await send('POST', `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}/cancel`);
    expect(inShort(await eventsOf(response))).toEqual(['turn_start', 'turn_stop error']);
    expect(answer).toEqual({ granted: false, by: 'cancelled' });
  });
});

describe('while a turn is stopped for the application', () => {
  test('messages of the agent start the next turn', async () => {
    const stop = deferred();
    const { create, turn } = stage(async (run) => {
      const asked = run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      await stop.promise;
      await run.text('meanwhile ');
      stop.reached();
      await asked;
      await run.text('after');
    });
    const sessionId = await create();
    const answer = { role: 'tool_permission', toolCallId: 'c1', granted: false };
    await turn(sessionId, says('go'));
    await stop.pass();
    expect(inShort(await turn(sessionId, { messages: [answer] }))).toEqual([
      'turn_start',
      'tool_result c1="Tool call denied"',
      'text_delta meanwhile ',
      'text_delta after',
      'turn_stop end_turn',
    ]);
  });

  test('an agent that sends a lot is slowed down', async () => {
    const stop = deferred();
    let said = 0;
    const { create, turn } = stage(
      async (run) => {
        const asked = run.permission({ toolCallId: 'c1', name: 'read', input: {} });
        const talk = (async () => {
          await stop.promise;
          for (; said < 100; said += 1) {
            const waiting = run.text('x'.repeat(100));
            if (waiting !== undefined) stop.reached();
            await waiting;
          }
        })();
        await asked;
        await talk;
      },
      { limits: { waitingChars: 1000 } },
    );
    const sessionId = await create();
    await turn(sessionId, says('go'));
    await stop.pass();
    expect(said).toBeLessThan(10);
    const events = await turn(sessionId, {
      messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: false }],
    });
    expect(events.filter(({ event }) => event === 'text_delta')).toHaveLength(100);
  });

  test('unanswered calls are eventually denied', async () => {
    let answer: unknown;
    const { create, turn, send, history } = stage(
      async (run) => {
        answer = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
        await run.text('unheard');
      },
      { limits: { answerMs: 5 } },
    );
    const sessionId = await create();
    await turn(sessionId, says('go'));
    await expect.poll(() => answer).toEqual({ granted: false, by: 'expired' });
    await expect
      .poll(async () => json(await send('GET', `/sessions/${sessionId}`)))
      .toMatchObject({ status: 'idle' });
    expect((await history(sessionId)).at(-1)).toMatchObject({
      content: 'Tool call denied: the application did not answer in time',
    });
    const late = await send('POST', `/sessions/${sessionId}/turns`, {
      messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: true }],
    });
    expect(late.status).toBe(409);
  });

  test('an agent that sends a lot without waiting is terminated', async () => {
    const stop = deferred();
    let failure: unknown;
    const { create, turn } = stage(
      async (run) => {
        if (run.input.role === 'answers') return;
        void run.permission({ toolCallId: 'c1', name: 'read', input: {} });
        await stop.promise;
        try {
          for (;;) void run.text('x'.repeat(100));
        } catch (error) {
          failure = error;
          stop.reached();
        }
      },
      { limits: { waitingChars: 1000, maxWaitingChars: 10_000 } },
    );
    await turn(await create(), says('go'));
    await stop.pass();
    expect(failure).toMatchObject({ code: 'overloaded' });
  });

  test('an answer at the moment of expiry is too late, and nothing is executed', async () => {
    const clock = fakeClock();
    const vault = deferred();
    let isSlow = false;
    const executed: unknown[] = [];
    const { create, send } = stage(
      async (run) => {
        const { granted } = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
        if (granted) executed.push(run.input);
      },
      {
        clock,
        limits: { answerMs: 1000 },
        secrets: {
          seal: async (plain) => plain,
          async open(sealed) {
            if (isSlow) await vault.promise;
            return sealed;
          },
        },
      },
    );
    const sessionId = await create({
      agent: { name: 'tester', tools: [{ name: 'read' }], options: { apiKey: 'x' } },
    });
    const path = `/sessions/${sessionId}/turns`;
    const response = await send('POST', path, { ...says('go'), stream: 'delta' });
    await clock.advance(100);
    await response.text();
    isSlow = true;
    const messages = [{ role: 'tool_permission', toolCallId: 'c1', granted: true }];
    const late = send('POST', path, { messages });
    await clock.advance(1000);
    vault.reached();
    await vault.pass();
    expect(await json(await late)).toMatchObject({ code: 'tool_call_resolved' });
    expect(executed).toEqual([]);
  });

  test('a run that ends leaves its calls to be answered by a later run', async () => {
    const stop = deferred();
    const { create, turn } = stage(async (run) => {
      if (run.input.role === 'answers') return run.text('again');
      void run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      await stop.promise;
      await run.text('the process is gone');
      stop.reached();
      throw new Error('gone');
    });
    const sessionId = await create();
    await turn(sessionId, says('go'));
    await stop.pass();
    const events = await turn(sessionId, {
      messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: false }],
    });
    expect(inShort(events)).toEqual([
      'turn_start',
      'tool_result c1="Tool call denied"',
      'text_delta the process is gone',
      'text_delta again',
      'turn_stop end_turn',
    ]);
  });
});

test('a run has the trace context of its request; an invalid one is ignored', async () => {
  const seen: unknown[] = [];
  const { create, send } = stage(async (run) => void seen.push(run.trace));
  const sessionId = await create();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await send('POST', `/sessions/${sessionId}/turns`, says('1'), { traceparent, tracestate: 'a=1' });
  await send('POST', `/sessions/${sessionId}/turns`, says('2'), { traceparent: 'no\u0020trace' });
  expect(seen).toEqual([{ traceparent, tracestate: 'a=1' }, undefined]);
});

test('a run knows who sent each message and each answer', async () => {
  const seen: unknown[] = [];
  const { create, send } = stage(
    async (run) => {
      seen.push(run.sender);
      await run.permission({ toolCallId: 'c1', name: 'edit', input: {} });
      seen.push(run.sender);
    },
    { authorize: ({ headers }) => ({ name: headers.get('x-name') ?? 'nobody' }) },
  );
  const turns = `/sessions/${await create()}/turns`;
  const answer = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: true }] };

  await send('POST', turns, says('go'), { 'x-name': 'web-shop', 'user-agent': 'shop/2.1 (Linux)' });
  await send('POST', turns, answer, { 'x-name': 'phone' });

  expect(seen).toEqual([{ name: 'web-shop', client: 'shop' }, { name: 'phone' }]);
});

test("an agent's stored changes to a session are available to its next run", async () => {
  const seen: unknown[] = [];
  const { create, send } = stageOf([
    {
      info: everything,
      async run(run) {
        seen.push(run.state, run.options['model']);
        await run.remember({ remote: 'id-1' });
        await run.updateSession({ title: 'Greetings', options: { model: 'large', apiKey: 'made' } });
        return { stopReason: 'end_turn' };
      },
      async forget(sessionId, state) {
        seen.push(sessionId, state);
      },
    },
  ]);
  const sessionId = await create();
  await send('POST', `/sessions/${sessionId}/turns`, says('1'));
  await send('POST', `/sessions/${sessionId}/turns`, says('2'));
  expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({
    title: 'Greetings',
    agent: { options: { model: 'large', apiKey: '***' } },
  });
  await send('DELETE', `/sessions/${sessionId}`);
  expect(seen).toEqual([undefined, 'small', { remote: 'id-1' }, 'large', sessionId, { remote: 'id-1' }]);
});

/** A point that an agent waits at until the test lets it pass, and another that the test waits for. */
function deferred(): {
  readonly promise: Promise<void>;
  reached(): void;
  /** Lets the agent pass, and waits until it has come to where it says so. */
  pass(): Promise<void>;
} {
  let open: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  const there = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return {
    promise,
    reached: () => reached(),
    async pass() {
      open();
      await there;
      // What follows at once in the agent has happened as well.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    },
  };
}

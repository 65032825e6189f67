import { memoryStore, type AapSessionStore } from '@parley/aap/server';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../fake-clock.ts';
import { eventsOf, everything, inShort, json, readUntil, says, stage } from '../stage.ts';

const speaks = [{ name: 'look_up', description: '', parameters: {} }];

test('row 84: the default mode is none; an unknown or undeclared one is 400', async () => {
  const capabilities = { ...everything.capabilities, stream: { none: {}, delta: {} } };
  const { create, send } = stage(async (run) => run.text('hi'), { info: { ...everything, capabilities } });
  const path = `/sessions/${await create()}/turns`;
  expect((await send('POST', path, says('hi'))).headers.get('content-type')).toBe('application/json');
  expect((await send('POST', path, { ...says('hi'), stream: 'fast' })).status).toBe(400);
  const response = await send('POST', path, { ...says('hi'), stream: 'message' });
  expect(await json(response)).toMatchObject({ code: 'unsupported_stream_mode' });
});

test('row 85: mode none returns only the messages of this turn', async () => {
  const { create, send } = stage(async (run) => run.text(`turn ${String(run.history.length / 2)}`));
  const path = `/sessions/${await create()}/turns`;
  await send('POST', path, says('hi'));
  const response = await send('POST', path, says('hi'));
  const turnId = response.headers.get('aap-turn-id');
  expect(await json(response)).toEqual({
    stopReason: 'end_turn',
    messages: [{ role: 'assistant', content: [{ type: 'text', text: 'turn 1' }] }],
    turnId,
  });
});

test('row 86, 87: a stream is exactly these bytes', async () => {
  const { create, send } = stage(async (run) => {
    await run.thinking('why\n');
    await run.text('grüße "😀"\u2028\r\n');
    await run.extension('plan', { entries: [] });
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: { path: 'a' } });
    await run.toolResult({ toolCallId: 'c1', content: 'text\n\ndata: x' });
    return { stopReason: 'max_tokens', usage: { outputTokens: 3 } };
  });
  const sessionId = await create();
  const path = `/sessions/${sessionId}/turns`;
  const delta = await send('POST', path, { ...says('go'), stream: 'delta' });
  const turnId = delta.headers.get('aap-turn-id') ?? '';
  expect(Object.fromEntries(delta.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(await delta.text()).toBe(
    [
      `id: 1\nevent: turn_start\ndata: {"turnId":"${turnId}"}\n\n`,
      'id: 2\nevent: thinking_delta\ndata: {"delta":"why\\n"}\n\n',
      'id: 3\nevent: text_delta\ndata: {"delta":"grüße \\"😀\\"\u2028\\r\\n"}\n\n',
      'id: 4\nevent: plan\ndata: {"entries":[]}\n\n',
      'id: 5\nevent: tool_call\ndata: {"toolCallId":"c1","name":"read","input":{"path":"a"}}\n\n',
      'id: 6\nevent: tool_result\ndata: {"toolCallId":"c1","content":"text\\n\\ndata: x"}\n\n',
      'id: 7\nevent: turn_stop\ndata: {"stopReason":"max_tokens","usage":{"outputTokens":3}}\n\n',
    ].join(''),
  );
  const message = await send('POST', path, { ...says('go'), stream: 'message' });
  expect((await message.text()).replaceAll(message.headers.get('aap-turn-id') ?? '', 'ID')).toBe(
    [
      'id: 1\nevent: turn_start\ndata: {"turnId":"ID"}\n\n',
      'id: 2\nevent: thinking\ndata: {"thinking":"why\\n"}\n\n',
      'id: 4\nevent: plan\ndata: {"entries":[]}\n\n',
      'event: text\ndata: {"text":"grüße \\"😀\\"\u2028\\r\\n"}\n\n',
      'id: 5\nevent: tool_call\ndata: {"toolCallId":"c1","name":"read","input":{"path":"a"}}\n\n',
      'id: 6\nevent: tool_result\ndata: {"toolCallId":"c1","content":"text\\n\\ndata: x"}\n\n',
      'id: 7\nevent: turn_stop\ndata: {"stopReason":"max_tokens","usage":{"outputTokens":3}}\n\n',
    ].join(''),
  );
});

test.each([
  ['ends at once', async () => undefined],
  [
    'fails at once',
    () => {
      throw new Error('no');
    },
  ],
  ['never comes to an end', () => new Promise<never>(() => undefined)],
])('row 88, 89, 92: of an agent that %s a stream is a start, a stop and nothing else', async (_, run) => {
  const { create, turn } = stage(run, { limits: { turnMs: 1, stopMs: 1 } });
  for (const stream of ['delta', 'message']) {
    const events = await turn(await create(), { ...says('go'), stream });
    expect(events.map(({ event }) => event)).toEqual(['turn_start', 'turn_stop']);
  }
});

test('row 90: each mode has its own events for text', async () => {
  const { create, turn } = stage(async (run) => {
    await run.thinking('a');
    await run.text('b');
  });
  const sessionId = await create();
  const names = async (stream: string): Promise<string[]> =>
    (await turn(sessionId, { ...says('go'), stream })).map(({ event }) => event);
  expect(await names('delta')).toEqual(['turn_start', 'thinking_delta', 'text_delta', 'turn_stop']);
  expect(await names('message')).toEqual(['turn_start', 'thinking', 'text', 'turn_stop']);
});

test('row 91: texts between calls are separate', async () => {
  const { create, turn } = stage(async (run) => {
    for (const toolCallId of ['c1', 'c2']) {
      await run.text('a');
      await run.text('b');
      await run.toolCall({ toolCallId, name: 'read', input: {} });
      await run.toolResult({ toolCallId, content: '' });
    }
    await run.text('c');
    run.endBlock();
    await run.text('d');
  });
  expect(inShort(await turn(await create(), { ...says('go'), stream: 'message' }))).toEqual([
    'turn_start',
    'text ab',
    'tool_call c1',
    'tool_result c1=""',
    'text ab',
    'tool_call c2',
    'tool_result c2=""',
    'text c',
    'text d',
    'turn_stop end_turn',
  ]);
});

test('row 93: an extension event is JSON, with a name that fits on a line; a quiet stream has comments', async () => {
  const clock = fakeClock();
  let failure: unknown;
  let finish: () => void = () => undefined;
  const { create, send } = stage(
    async (run) => {
      try {
        await run.extension('two\nlines', {});
      } catch (error) {
        failure = error;
      }
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await run.extension('image', { url: 'x' });
    },
    { clock, limits: { heartbeatMs: 1000 } },
  );
  const response = await send('POST', `/sessions/${await create()}/turns`, {
    ...says('go'),
    stream: 'delta',
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toMatch(/^id: 1\n/);
  const next = reader?.read();
  await clock.advance(2000);
  expect((await next)?.value).toBe(':\n\n');
  const last = reader?.read();
  finish();
  expect((await last)?.value).toMatch(/^id: 2\nevent: image\n/);
  expect(failure).toBeInstanceOf(TypeError);
  await reader?.cancel();
});

test('row 96, 99: calls for the application come last, in a row, without text after them', async () => {
  const clock = fakeClock();
  const { create, turn } = stage(
    async (run) => {
      const first = run.permission({ toolCallId: 'held-1', name: 'edit', input: {} });
      await run.text('some text ');
      await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
      const second = run.callClientTool({ toolCallId: 'held-2', name: 'look_up', input: {} });
      await clock.advance(1000);
      await run.text('while it runs');
      await run.toolResult({ toolCallId: 'c1', content: '' });
      await clock.advance(1000);
      await Promise.all([first, second]);
    },
    { clock },
  );
  expect(inShort(await turn(await create({ tools: speaks }), says('go')))).toEqual([
    'turn_start',
    'text_delta some text ',
    'tool_call c1',
    'text_delta while it runs',
    'tool_result c1=""',
    'tool_call held-1',
    'tool_call held-2',
    'turn_stop tool_use',
  ]);
});

test('row 97: a call is sent once', async () => {
  const refusals: unknown[] = [];
  const { create, turn } = stage(async (run) => {
    const call = { toolCallId: 'c1', name: 'read', input: {} };
    await run.toolCall(call);
    await run.toolCall(call);
    for (const again of [run.permission(call), run.callClientTool(call)]) {
      await again.catch((error: unknown) => refusals.push(error));
    }
    await run.toolResult({ toolCallId: 'c1', content: '' });
  });
  const events = await turn(await create(), says('go'));
  expect(events.filter(({ event }) => event === 'tool_call')).toHaveLength(1);
  expect(refusals).toMatchObject([{ code: 'open-call' }, { code: 'open-call' }]);
});

test('row 98: waiting calls are in the session, which can continue from its history', async () => {
  const { create, turn, send, history } = stage(async (run) => {
    const found = await run.callClientTool({ toolCallId: 'c1', name: 'look_up', input: { word: 'x' } });
    await run.text(JSON.stringify(found));
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({
    status: 'waiting',
    pendingToolCalls: [{ toolCallId: 'c1', name: 'look_up', input: { word: 'x' } }],
  });
  expect((await history(sessionId)).at(-1)).toMatchObject({ role: 'assistant' });
  const content = [{ type: 'text', text: 'found' }];
  const events = await turn(sessionId, { messages: [{ role: 'tool', toolCallId: 'c1', content }] });
  expect(inShort(events)).toEqual([
    'turn_start',
    `text_delta ${JSON.stringify(content)}`,
    'turn_stop end_turn',
  ]);
});

test('row 100: a result may be displayed differently from what is stored', async () => {
  const { create, turn, send, history } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: 'all of it' }, { shown: '3 words' });
  });
  const sessionId = await create();
  expect(inShort(await turn(sessionId, says('go')))).toContain('tool_result c1="3 words"');
  const none = await json(await send('POST', `/sessions/${sessionId}/turns`, says('go')));
  expect(JSON.stringify(none)).toContain('3 words');
  expect(JSON.stringify(none)).not.toContain('all of it');
  expect((await history(sessionId)).filter(({ role }) => role === 'tool')).toEqual([
    { role: 'tool', toolCallId: 'c1', content: 'all of it' },
    { role: 'tool', toolCallId: 'c1', content: 'all of it' },
  ]);
});

describe('a turn can be read again', () => {
  const talks = async (run: {
    text(delta: string): void | Promise<void>;
    endBlock(): void;
  }): Promise<void> => {
    for (const word of ['a', 'b', 'c']) await run.text(word);
    run.endBlock();
    for (const word of ['d', 'e']) await run.text(word);
  };

  test('from any event, in any mode, also from another server', async () => {
    const store = memoryStore();
    const { create, turn } = stage(talks, { store });
    const sessionId = await create();
    const events = await turn(sessionId, says('go'));
    const { send } = stage(talks, { store });
    const path = `/sessions/${sessionId}/turns/${String(events[0]?.data['turnId'])}/events`;
    for (const after of events.keys()) {
      const id = events[after]?.id ?? '';
      const again = await eventsOf(await send('GET', path, undefined, { 'last-event-id': id }));
      expect(again).toEqual(events.slice(after + 1));
    }
    expect(inShort(await eventsOf(await send('GET', `${path}?stream=message`)))).toEqual([
      'turn_start',
      'text abc',
      'text de',
      'turn_stop end_turn',
    ]);
    expect((await send('GET', path, undefined, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await send('GET', `${path}?stream=none`)).status).toBe(400);
  });

  test('in mode message from any event, without gaps', async () => {
    const { create, send } = stage(async (run) => {
      await run.thinking('a');
      await run.text('b');
      await run.extension('plan', {});
      await run.text('c');
      await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
      await run.toolResult({ toolCallId: 'c1', content: '' });
      await run.text('d');
      await run.extension('plan', {});
    });
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'message' });
    const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}/events`;
    const events = await eventsOf(response);
    expect(inShort(events)).toEqual([
      'turn_start',
      'thinking a',
      'plan',
      'text bc',
      'tool_call c1',
      'tool_result c1=""',
      'plan',
      'text d',
      'turn_stop end_turn',
    ]);
    for (const [index, { id }] of events.entries()) {
      const again = await eventsOf(await send('GET', path, undefined, { 'last-event-id': id ?? '' }));
      const behind = events.findLastIndex(
        (each, at) => at <= index && each.id === id && at > 0 && events[at - 1]?.id !== id,
      );
      expect(inShort(again)).toEqual(inShort(events.slice(Math.max(behind, 0) + 1)));
    }
  });

  test('while it runs, by many readers', async () => {
    let finish: () => void = () => undefined;
    const { create, send } = stage(async (run) => {
      await run.text('one');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await run.text('two');
    });
    const sessionId = await create();
    const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
    const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}/events`;
    const others = await Promise.all(Array.from({ length: 5 }, () => send('GET', path)));
    finish();
    const texts = await Promise.all([response, ...others].map((each) => each.text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('two');
  });
});

test('a slow reader is served from the store, without gaps', async () => {
  const reads: string[] = [];
  const memory = memoryStore();
  const store: AapSessionStore = {
    ...memory,
    read: (sessionId, take) => {
      reads.push(sessionId);
      return memory.read(sessionId, take);
    },
  };
  const { create, send } = stage(
    async (run) => {
      for (let count = 0; count < 3000; count += 1) await run.text(`${String(count)} `);
    },
    { store, limits: { recentChars: 2000, writeChars: 500, waitingChars: 5000 } },
  );
  const sessionId = await create();
  const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
  const path = `/sessions/${sessionId}/turns/${response.headers.get('aap-turn-id') ?? ''}`;
  await expect.poll(async () => (await json(await send('GET', path)))['status']).toBe('stopped');
  expect(reads).toEqual([]);
  const events = await eventsOf(response);
  expect(events.filter(({ event }) => event === 'text_delta').map(({ data }) => data['delta'])).toEqual(
    Array.from({ length: 3000 }, (_, count) => `${String(count)} `),
  );
  expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index + 1));
  expect(reads).toEqual([sessionId]);
});

test('a reader that stops in the middle leaves no resources', async () => {
  const memory = memoryStore();
  let open = 0;
  const store: AapSessionStore = {
    ...memory,
    async read(sessionId, take) {
      open += 1;
      try {
        return await memory.read(sessionId, take);
      } finally {
        open -= 1;
      }
    },
  };
  const first = stage(
    async (run) => {
      for (let count = 0; count < 500; count += 1) {
        await run.text('x'.repeat(100));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    },
    { store },
  );
  const sessionId = await first.create();
  const events = await first.turn(sessionId, says('go'));
  const { server, send } = stage(async () => undefined, { store, limits: { writeChars: 1000 } });
  const path = `/sessions/${sessionId}/turns/${String(events[0]?.data['turnId'])}/events`;
  await readUntil(await send('GET', path), 'text_delta');
  await expect.poll(() => open).toBe(0);
  expect(await server.status()).toMatchObject({ openStreams: 0 });
});

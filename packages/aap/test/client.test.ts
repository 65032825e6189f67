import {
  answerCalls,
  createAapClient,
  findOpenCalls,
  runTurn,
  type AapClient,
  type ReceivedTurnEvent,
  type StreamMode,
} from '@parley/aap';
import { createAapServer, type ServedAgent } from '@parley/aap/server';
import { describe, expect, test } from 'vitest';
import { clock, tourAgent } from './tour-agent.ts';

// The steps that docs/aap.md describes for the official client, with ours.

const session = {
  agent: { name: 'tour', tools: [{ name: 'read', trust: true }, { name: 'edit' }] },
  messages: [{ role: 'system', content: 'Be short.' }],
  tools: [clock],
} as const;

function clientOf(agent: ServedAgent): AapClient {
  const server = createAapServer([agent], { basePath: '/aap', limits: { quietMs: 1 } });
  return createAapClient({
    baseUrl: 'http://localhost/aap/',
    fetch: (url, init) => server.handle(new Request(url, init)),
  });
}

describe('our client and our server', () => {
  test('agents are listed with their tools, options and capabilities', async () => {
    const { agents, extensions } = await clientOf(tourAgent).getMeta();
    expect(agents).toEqual([tourAgent.info]);
    expect(extensions).toHaveProperty('resume');
  });

  test.for<StreamMode>(['delta', 'message', 'none'])(
    'in the mode %s a turn stops for a permission and a tool of the application, and goes on',
    async (stream) => {
      const client = clientOf(tourAgent);
      const { sessionId } = await client.createSession(session);
      const events: ReceivedTurnEvent['event'][] = [];
      const asked: string[] = [];
      const turn = await runTurn(client, sessionId, 'Go.', {
        stream,
        tools: { clock: () => 'noon' },
        permission: ({ name }) => asked.push(name) > 0,
        onEvent: ({ event }) => events.push(event),
      });
      const spoken = stream === 'delta' ? '_delta' : '';
      const inStream = (...names: readonly string[]): readonly string[] => (stream === 'none' ? [] : names);
      expect(events).toEqual([
        ...inStream('turn_start'),
        ...(stream === 'delta' ? ['thinking_delta'] : []),
        `thinking${spoken}`,
        `text${spoken}`,
        'tool_call',
        'tool_result',
        'tool_call',
        'tool_call',
        ...inStream('turn_stop', 'turn_start'),
        'tool_result',
        `text${spoken}`,
        ...inStream('turn_stop'),
      ]);
      expect(asked).toEqual(['edit']);
      expect(turn.stopReason).toBe('end_turn');
      const history = await client.getHistory(sessionId, 'full');
      expect(history.map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'tool',
        'assistant',
      ]);
      expect(turn.messages.filter(({ role }) => role === 'assistant')).toEqual(
        history.filter(({ role }) => role === 'assistant'),
      );
      expect(findOpenCalls(history)).toEqual([]);
    },
  );

  test('an abandoned session is resumed from its history', async () => {
    const client = clientOf(tourAgent);
    const { sessionId } = await client.createSession(session);
    const left = await client.postTurn(sessionId, { messages: [{ role: 'user', content: 'Go.' }] });
    expect(left.stopReason).toBe('tool_use');
    expect(await client.getSession(sessionId)).toMatchObject({ status: 'waiting' });
    const calls = findOpenCalls(await client.getHistory(sessionId, 'full'));
    const options = { tools: { clock: () => 'noon' }, permission: () => ({ granted: false, reason: 'no' }) };
    const { stopReason, messages } = await runTurn(
      client,
      sessionId,
      await answerCalls(calls, options),
      options,
    );
    expect(stopReason).toBe('end_turn');
    expect(messages[0]).toMatchObject({ role: 'tool', content: 'Tool call denied: no' });
  });

  test('settings apply from the turn that changes them', async () => {
    const client = clientOf(tourAgent);
    const { sessionId } = await client.createSession({
      agent: { name: 'tour', options: { apiKey: 'secret' } },
    });
    const turn = await runTurn(client, sessionId, 'Go.', { agent: { options: { model: 'large' } } });
    expect(JSON.stringify(turn.messages)).toContain('The model is large.');
    expect(await client.getSession(sessionId)).toMatchObject({
      agent: { name: 'tour', options: { model: 'large', apiKey: '***' } },
    });
  });

  test('a broken stream is resumed, and nothing is read twice', async () => {
    const server = createAapServer([tourAgent], { limits: { quietMs: 1 } });
    let requests = 0;
    const client = createAapClient({
      baseUrl: 'http://localhost',
      fetch: async (url, init) => {
        const response = await server.handle(new Request(url, init));
        return response.headers.get('content-type') === 'text/event-stream' && ++requests < 4
          ? breakAfter(response, 150)
          : response;
      },
    });
    const { sessionId } = await client.createSession({ agent: session.agent });
    const stream = await client.streamTurn(sessionId, {
      messages: [{ role: 'user', content: 'Go.' }],
      stream: 'delta',
    });
    const events: string[] = [];
    for await (const { event } of stream) events.push(event);
    expect(events).toEqual([
      'turn_start',
      'thinking_delta',
      'thinking_delta',
      'text_delta',
      'tool_call',
      'tool_result',
      'turn_stop',
    ]);
    expect(requests).toBeGreaterThan(1);
  });

  test('a turn is cancelled, and the session continues', async () => {
    const client = clientOf({
      info: tourAgent.info,
      async run(run) {
        await run.text('Wait');
        if (run.input.role === 'user' && run.input.content === 'Wait.') {
          await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
        }
        return { stopReason: 'end_turn' };
      },
    });
    const { sessionId } = await client.createSession({ agent: { name: 'tour' } });
    const request = { messages: [{ role: 'user', content: 'Wait.' }], stream: 'delta' } as const;
    const stream = await client.streamTurn(sessionId, request);
    const events: ReceivedTurnEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.event === 'text_delta') await client.cancelTurn(sessionId, stream.turnId ?? '');
    }
    expect(events.at(-1)).toMatchObject({ event: 'turn_stop', stopReason: 'error', detail: 'cancelled' });
    const [turn] = await client.getTurns(sessionId);
    expect(turn).toMatchObject({ turnId: stream.turnId, stopReason: 'error', detail: 'cancelled' });
    expect(await runTurn(client, sessionId, 'Go on.')).toMatchObject({ stopReason: 'end_turn' });
  });

  test('a turn that waits for the application is cancelled: its calls are denied, and the run has ended', async () => {
    const client = clientOf(tourAgent);
    const { sessionId } = await client.createSession(session);
    const controller = new AbortController();
    const reason = new Error('enough');
    const turn = runTurn(client, sessionId, 'Go.', {
      signal: controller.signal,
      permission: () => {
        controller.abort(reason);
        return new Promise<boolean>(() => undefined);
      },
    });
    await expect(turn).rejects.toBe(reason);
    expect(await client.getSession(sessionId)).toMatchObject({ status: 'idle' });
    const history = await client.getHistory(sessionId, 'full');
    expect(findOpenCalls(history)).toEqual([]);
    expect(history.at(-1)).toMatchObject({ role: 'tool', content: 'Tool call denied: cancelled' });
  });

  test('sessions are listed by page and deleted; a deleted session is rejected with its code', async () => {
    const client = clientOf(tourAgent);
    const made: string[] = [];
    for (let at = 0; at < 5; at++) made.push((await client.createSession(session)).sessionId);
    const listed: string[] = [];
    for await (const { sessionId } of client.listSessions({ limit: 2 })) listed.push(sessionId);
    expect(listed.toSorted()).toEqual(made.toSorted());
    const [first = ''] = made;
    await client.deleteSession(first);
    await expect(client.getSession(first)).rejects.toMatchObject({ status: 404, code: 'unknown_session' });
    const turn = client.streamTurn(first, { messages: [{ role: 'user', content: 'Go.' }], stream: 'delta' });
    await expect(turn).rejects.toMatchObject({ status: 404, code: 'unknown_session' });
  });

  test('the same key is the same session', async () => {
    const client = clientOf(tourAgent);
    const make = async (): Promise<string> =>
      (await client.createSession(session, { idempotencyKey: 'one' })).sessionId;
    expect(await make()).toBe(await make());
  });
});

/** The same answer, whose connection is lost after some bytes. */
function breakAfter(response: Response, bytes: number): Response {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new Error('connection reset'));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}

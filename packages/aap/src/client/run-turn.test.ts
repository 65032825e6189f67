import { expect, test } from 'vitest';
import { runTurn } from './run-turn.ts';
import { clientOf, event, events, json } from './scripted-server.fixture.ts';

const call = (toolCallId: string, name: string, input: object = {}): string =>
  event('tool_call', { toolCallId, name, input });
const stopForTools = event('turn_stop', { stopReason: 'tool_use' });
const end = events([
  event('turn_start'),
  event('text_delta', { delta: 'Done.' }),
  event('turn_stop', { stopReason: 'end_turn' }),
]);

test('application tools and permissions are answered together until the turn ends', async () => {
  const { client, seen } = clientOf([
    events([
      event('turn_start'),
      event('text_delta', { delta: 'Let me see.' }),
      call('1', 'clock'),
      call('2', 'edit', { path: 'a.ts' }),
      call('3', 'broken'),
      stopForTools,
    ]),
    events([
      event('turn_start'),
      event('tool_result', { toolCallId: '2', content: 'ok' }),
      call('4', 'edit'),
      stopForTools,
    ]),
    end,
  ]);
  const asked: unknown[] = [];
  const names: string[] = [];
  const turn = await runTurn(client, 's1', 'What time is it?', {
    tools: {
      clock: () => 'noon',
      broken: () => Promise.reject(new Error('out of order')),
    },
    permission: ({ toolCallId, input }) => {
      asked.push(input);
      return toolCallId === '2' ? true : { granted: false, reason: 'once is enough' };
    },
    onEvent: (each) => names.push(each.event),
    agent: { options: { model: 'small' } },
  });
  expect(seen.map(({ body }) => body)).toEqual([
    {
      messages: [{ role: 'user', content: 'What time is it?' }],
      agent: { options: { model: 'small' } },
      stream: 'delta',
    },
    {
      messages: [
        { role: 'tool', toolCallId: '1', content: 'noon' },
        { role: 'tool_permission', toolCallId: '2', granted: true },
        { role: 'tool', toolCallId: '3', content: 'Error: out of order', isError: true },
      ],
      stream: 'delta',
    },
    {
      messages: [{ role: 'tool_permission', toolCallId: '4', granted: false, reason: 'once is enough' }],
      stream: 'delta',
    },
  ]);
  expect(asked).toEqual([{ path: 'a.ts' }, {}]);
  expect(names.filter((name) => name === 'turn_stop')).toHaveLength(3);
  expect(turn.stopReason).toBe('end_turn');
  expect(turn.messages.map(({ role }) => role)).toEqual([
    'assistant',
    'tool',
    'tool',
    'tool',
    'assistant',
    'assistant',
  ]);
});

test('without a user every call is denied, and names from the object prototype are not tools', async () => {
  const { client, seen } = clientOf([
    events([event('turn_start'), call('1', 'constructor'), stopForTools]),
    end,
  ]);
  await runTurn(client, 's1', 'Hello', { tools: {} });
  expect(seen[1]?.body).toMatchObject({
    messages: [{ role: 'tool_permission', toolCallId: '1', granted: false }],
  });
});

test('the mode none works too', async () => {
  const content = [{ type: 'tool_use', toolCallId: '1', name: 'clock', input: {} }];
  const { client } = clientOf([
    json({ stopReason: 'tool_use', messages: [{ role: 'assistant', content }] }),
    json({ stopReason: 'error', error: { code: 'agent_failed', message: 'gone' }, messages: [] }),
  ]);
  const turn = await runTurn(client, 's1', 'Hello', { tools: { clock: () => 'noon' }, stream: 'none' });
  expect(turn).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_failed' },
    messages: [{ role: 'assistant' }, { role: 'tool', content: 'noon' }],
  });
});

test('a turn whose signal is aborted is cancelled at the server', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client, seen } = clientOf([
    (request) => {
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(event('turn_start', { turnId: 't1' })));
          request.signal.addEventListener('abort', () => stream.error(new Error('aborted')));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    () => new Response(null, { status: 202 }),
  ]);
  const turn = runTurn(client, 's1', 'Hello', {
    signal: controller.signal,
    onEvent: () => controller.abort(reason),
  });
  await expect(turn).rejects.toBe(reason);
  expect(seen[1]?.url).toMatch(/\/turns\/t1\/cancel$/);
});

test('a tool that ignores the signal does not delay the turn', async () => {
  const controller = new AbortController();
  const { client } = clientOf([events([event('turn_start'), call('1', 'slow'), stopForTools])]);
  const turn = runTurn(client, 's1', 'Hello', {
    signal: controller.signal,
    tools: {
      slow: () => {
        controller.abort(new Error('enough'));
        return new Promise<string>(() => undefined);
      },
    },
  });
  await expect(turn).rejects.toThrow('enough');
});

test('an endless server is stopped at a limit', async () => {
  const again = events([event('turn_start'), call('1', 'clock'), stopForTools]);
  const { client } = clientOf([again, again, again]);
  const turn = runTurn(client, 's1', 'Hello', { tools: { clock: () => 'noon' }, maxRounds: 2 });
  await expect(turn).rejects.toMatchObject({ code: 'too-large' });
});

import { expect, test } from 'vitest';
import { everything, inShort, json, says, stage } from '../stage.ts';

const idle = async (): Promise<void> => undefined;

test('row 41, 42: a history has a kind that the agent declares', async () => {
  const { create, send } = stage(idle);
  const path = `/sessions/${await create()}/history`;
  for (const query of ['', '?type=', '?type=all']) expect((await send('GET', path + query)).status).toBe(400);
  const response = await send('GET', `${path}?type=compacted`);
  expect(response.status).toBe(404);
  expect(await json(response)).toMatchObject({ code: 'unsupported_history_type' });
});

test('row 43: a history contains only the requested kind', async () => {
  const { create, send } = stage(idle);
  const response = await send('GET', `/sessions/${await create()}/history?type=full`);
  expect(await json(response)).toEqual({ history: { full: [] } });
});

test('row 45, 47: the full history is exact: initial messages, and each result once', async () => {
  const { create, turn, history } = stage(async (run) => {
    await run.permission({ toolCallId: 'c1', name: 'read', input: { path: 'a' } });
    await run.toolResult({ toolCallId: 'c1', content: 'text' });
    await run.text('Done.');
  });
  const sessionId = await create({
    agent: { name: 'tester', tools: [{ name: 'read', trust: true }] },
    messages: [{ role: 'system', content: 'Be kind.' }],
  });
  await turn(sessionId, says('go'));
  expect(await history(sessionId)).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', toolCallId: 'c1', name: 'read', input: { path: 'a' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'text' },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]);
});

test('row 46: an agent without a compacted history does not declare it', () => {
  expect(everything.capabilities?.history).toEqual({ full: {} });
});

test("row 48, 53: permissions are in no history, and a denial is a tool message with the protocol's text", async () => {
  const { create, turn, history } = stage(async (run) => {
    await Promise.all([
      run.permission({ toolCallId: 'c1', name: 'read', input: {} }),
      run.permission({ toolCallId: 'c2', name: 'edit', input: {} }),
    ]);
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  const messages = [
    { role: 'tool_permission', toolCallId: 'c1', granted: false },
    { role: 'tool_permission', toolCallId: 'c2', granted: false, reason: 'too early' },
  ];
  await turn(sessionId, { messages });
  expect((await history(sessionId)).slice(2)).toEqual([
    { role: 'tool', toolCallId: 'c1', content: 'Tool call denied' },
    { role: 'tool', toolCallId: 'c2', content: 'Tool call denied: too early' },
  ]);
});

test('row 49: waiting calls are in the history', async () => {
  const { create, turn, history } = stage(async (run) => {
    await run.callClientTool({ toolCallId: 'c1', name: 'look_up', input: {} });
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  expect((await history(sessionId)).at(-1)).toEqual({
    role: 'assistant',
    content: [{ type: 'tool_use', toolCallId: 'c1', name: 'look_up', input: {} }],
  });
});

test('row 50: a run has the earlier conversation, without the application sending it again', async () => {
  const seen: unknown[] = [];
  const { create, turn } = stage(async (run) => {
    seen.push(run.history);
    await run.text('ok');
  });
  const sessionId = await create();
  await turn(sessionId, says('one'));
  await turn(sessionId, says('two'));
  expect(seen).toEqual([
    [],
    [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    ],
  ]);
});

test('row 51: blocks are in the order in which they were produced', async () => {
  const { create, turn, history } = stage(async (run) => {
    await run.thinking('a');
    await run.text('b');
    await run.thinking('c');
    await run.image({ type: 'image', url: 'data:image/png;base64,AAAA' });
    await run.text('d');
    run.endBlock();
    await run.text('e');
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: 'r' });
    await run.text('f');
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  expect((await history(sessionId)).slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'a' },
        { type: 'text', text: 'b' },
        { type: 'thinking', thinking: 'c' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
        { type: 'text', text: 'd' },
        { type: 'text', text: 'e' },
        { type: 'tool_use', toolCallId: 'c1', name: 'read', input: {} },
      ],
    },
    { role: 'tool', toolCallId: 'c1', content: 'r' },
    { role: 'assistant', content: [{ type: 'text', text: 'f' }] },
  ]);
});

test.each(['delta', 'message', 'none'])(
  'row 52: a turn that fails in mode %s keeps the message and what was said',
  async (stream) => {
    const { create, send, history } = stage(async (run) => {
      await run.text('half of it');
      throw new Error('the model is gone');
    });
    const sessionId = await create();
    await (await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream })).text();
    expect(await history(sessionId)).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'text', text: 'half of it' }], _meta: { interrupted: true } },
    ]);
  },
);

test('the extras of calls and results are sent and stored', async () => {
  const { create, turn, history } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} }, { meta: { title: 'Read a' } });
    await run.toolResult({ toolCallId: 'c1', content: 'no' }, { isError: true, meta: { ms: 3 } });
  });
  const sessionId = await create();
  const events = await turn(sessionId, says('go'));
  expect(inShort(events)).toEqual([
    'turn_start',
    'tool_call c1',
    'tool_result c1="no"',
    'turn_stop end_turn',
  ]);
  expect(events[1]?.data['_meta']).toEqual({ title: 'Read a' });
  expect(events[2]?.data).toEqual({ toolCallId: 'c1', content: 'no', isError: true, _meta: { ms: 3 } });
  expect((await history(sessionId)).slice(1)).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool_use', toolCallId: 'c1', name: 'read', input: {}, _meta: { title: 'Read a' } }],
    },
    { role: 'tool', toolCallId: 'c1', content: 'no', isError: true, _meta: { ms: 3 } },
  ]);
});

import { memoryStore, type Run, type RunEnd } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { eventsOf, everything, inShort, json, lookUp, readUntil, says, stage, stageOf } from './stage.ts';

async function asks(run: Run): Promise<RunEnd> {
  if (run.input.role === 'answers') {
    for (const answer of run.input.answers) {
      if (answer.kind === 'granted') {
        await run.toolResult({ toolCallId: answer.call.toolCallId, content: 'done once' });
      }
    }
    await run.text(run.input.answers.map(({ kind }) => kind).join(' '));
    return { stopReason: 'end_turn' };
  }
  await Promise.all([
    run.permission({ toolCallId: 'c1', name: 'read', input: {} }),
    run.callClientTool({ toolCallId: 'c2', name: 'look_up', input: {} }),
  ]);
  return { stopReason: 'end_turn' };
}

test('calls that waited when the server ended are answered after its restart, in a new run', async () => {
  const store = memoryStore();
  const first = stage(asks, { store });
  const sessionId = await first.create({ tools: [lookUp] });
  await first.turn(sessionId, says('go'));
  const second = stageOf([{ info: everything, run: asks }], { store });

  expect(await json(await second.send('GET', `/sessions/${sessionId}`))).toMatchObject({
    status: 'waiting',
    pendingToolCalls: [{ toolCallId: 'c1' }, { toolCallId: 'c2' }],
  });
  const messages = [
    { role: 'tool_permission', toolCallId: 'c1', granted: true },
    { role: 'tool', toolCallId: 'c2', content: 'x' },
  ];
  const answered = await second.send('POST', `/sessions/${sessionId}/turns`, { stream: 'delta', messages });
  expect(inShort(await eventsOf(answered))).toEqual([
    'turn_start',
    'tool_result c1="done once"',
    'text_delta granted result',
    'turn_stop end_turn',
  ]);
});

test('calls of an ended run are denied when they expire', async () => {
  const store = memoryStore();
  const first = stage(asks, { store });
  const sessionId = await first.create({ tools: [lookUp] });
  await first.turn(sessionId, says('go'));
  const day = 86_400_000;
  const on = (date: number): ReturnType<typeof stage> =>
    stage(asks, { store, limits: { answerMs: day }, today: () => new Date(date) });

  const path = `/sessions/${sessionId}`;
  expect(await json(await on(Date.now() + day / 2).send('GET', path))).toMatchObject({ status: 'waiting' });
  const late = on(Date.now() + day);
  expect(await json(await late.send('GET', path))).toMatchObject({ status: 'idle' });
  expect((await late.history(sessionId)).slice(-2)).toMatchObject([
    { toolCallId: 'c1', content: 'Tool call denied: the application did not answer in time' },
    { toolCallId: 'c2', content: 'Tool call denied: the application did not answer in time' },
  ]);
  const messages = [{ role: 'tool_permission', toolCallId: 'c1', granted: true }];
  expect((await late.send('POST', `${path}/turns`, { messages })).status).toBe(409);
});

test('a turn that was running when the server ended is closed, and its calls have an unknown outcome', async () => {
  const store = memoryStore();
  const first = stage(
    async (run) => {
      await run.text('part');
      await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
      await new Promise(() => undefined);
    },
    { store },
  );
  const sessionId = await first.create();
  const response = await first.send('POST', `/sessions/${sessionId}/turns`, {
    ...says('go'),
    stream: 'delta',
  });
  await readUntil(response, 'tool_call');

  const second = stage(asks, { store });
  const { turns } = (await json(await second.send('GET', `/sessions/${sessionId}/turns`))) as {
    turns: unknown;
  };
  expect(turns).toMatchObject([{ status: 'stopped', stopReason: 'error', detail: 'interrupted' }]);
  expect(await second.history(sessionId)).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'part' },
        { type: 'tool_use', toolCallId: 'c1' },
      ],
    },
    { role: 'tool', toolCallId: 'c1', isError: true, content: expect.stringContaining('unknown') },
  ]);
});

import { expect, test } from 'vitest';
import { fakeClock } from './fake-clock.ts';
import { inShort, json, says, stage } from './stage.ts';

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test('a turn is streamed in each mode, and is in the history once', async () => {
  const { send, create, turn, history } = stage(async (run) => {
    await run.thinking('hm');
    await run.text('Hel');
    await run.text('lo');
  });
  const sessionId = await create();

  expect(inShort(await turn(sessionId, says('hi')))).toEqual([
    'turn_start',
    'thinking_delta hm',
    'text_delta Hel',
    'text_delta lo',
    'turn_stop end_turn',
  ]);
  expect(inShort(await turn(sessionId, { ...says('hi'), stream: 'message' }))).toEqual([
    'turn_start',
    'thinking hm',
    'text Hello',
    'turn_stop end_turn',
  ]);
  const answer = await json(await send('POST', `/sessions/${sessionId}/turns`, says('hi')));
  const said = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello' },
    ],
  };
  expect(answer).toMatchObject({ stopReason: 'end_turn', messages: [said] });
  expect(await history(sessionId)).toEqual([1, 2, 3].flatMap(() => [{ role: 'user', content: 'hi' }, said]));
});

test('a turn stops when all announced calls have asked, however late', async () => {
  const clock = fakeClock();
  const late = deferred();
  const isAsking = deferred();
  const hasAsked = deferred();
  const { create, send } = stage(
    async (run) => {
      run.announce(2);
      const first = run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      run.announce(1);
      isAsking.resolve();
      await late.promise;
      run.announce(0);
      const second = run.permission({ toolCallId: 'c2', name: 'edit', input: {} });
      hasAsked.resolve();
      await Promise.all([first, second]);
    },
    { clock, limits: { quietMs: 25, announcedMs: 250 } },
  );
  const sessionId = await create();
  const answer = send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'none' });
  await isAsking.promise;
  await clock.advance(249);
  late.resolve();
  await hasAsked.promise;
  await clock.advance(25);
  const { stopReason, messages } = await json(await answer);
  expect(stopReason).toBe('tool_use');
  expect(JSON.stringify(messages)).toMatch(/c1.*c2/u);
});

test('a turn does not wait forever for an announced call that never asks', async () => {
  const clock = fakeClock();
  const isAsking = deferred();
  const { create, send } = stage(
    async (run) => {
      run.announce(1);
      const asked = run.permission({ toolCallId: 'c1', name: 'read', input: {} });
      isAsking.resolve();
      await asked;
    },
    { clock, limits: { quietMs: 25, announcedMs: 250 } },
  );
  const sessionId = await create();
  const answer = send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'none' });
  await isAsking.promise;
  await clock.advance(250);
  expect(await json(await answer)).toMatchObject({ stopReason: 'tool_use' });
});

test('two questions and an application call stop the turn together, and all answers continue it', async () => {
  const { create, turn, history } = stage(async (run) => {
    await run.text('Look.');
    const [read, edit, found] = await Promise.all([
      run.permission({ toolCallId: 'c1', name: 'read', input: { path: 'a' } }),
      run.permission({ toolCallId: 'c2', name: 'edit', input: { path: 'b' } }),
      run.callClientTool({ toolCallId: 'c3', name: 'look_up', input: { word: 'x' } }),
    ]);
    if (read.granted) await run.toolResult({ toolCallId: 'c1', content: 'text of a' });
    await run.toolResult({ toolCallId: 'c2', content: 'must not be seen' });
    await run.text(`${String(edit.granted)} ${JSON.stringify(found)}`);
  });
  const sessionId = await create();

  expect(inShort(await turn(sessionId, says('go')))).toEqual([
    'turn_start',
    'text_delta Look.',
    'tool_call c1',
    'tool_call c2',
    'tool_call c3',
    'turn_stop tool_use',
  ]);
  const messages = [
    { role: 'tool', toolCallId: 'c3', content: 'found x' },
    { role: 'tool_permission', toolCallId: 'c1', granted: true },
    { role: 'tool_permission', toolCallId: 'c2', granted: false, reason: 'not that' },
  ];
  expect(inShort(await turn(sessionId, { messages }))).toEqual([
    'turn_start',
    'tool_result c2="Tool call denied: not that"',
    'tool_result c1="text of a"',
    'text_delta false "found x"',
    'turn_stop end_turn',
  ]);
  expect((await history(sessionId)).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
    'tool',
    'assistant',
  ]);
});

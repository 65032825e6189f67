import { expect, test } from 'vitest';
import type { Model, ModelMessage, ModelPart } from '../src/model/model.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { textWith } from './matchers.ts';
import { courses, openStage, refused, said, succeeded, toolUpdates } from './stage.ts';

/** A model whose responses are written down. */
function scriptedModel(
  ...responses: readonly (readonly ModelPart[])[]
): Model & { readonly heard: ModelMessage[][] } {
  const heard: ModelMessage[][] = [];
  return {
    id: 'test/scripted',
    contextSize: 1000,
    heard,
    async *respond({ messages }) {
      heard.push([...messages]);
      yield* responses[heard.length - 1] ?? [];
    },
  };
}

const call = (id: string, name: string, input: unknown): ModelPart => ({
  type: 'tool-call',
  id,
  name,
  input,
});

test('as many steps as the limit says may run, and an answer after them', async () => {
  await using stage = await openStage({ limits: { maxSteps: 3 } });
  expect(await stage.prompt('list .\nread a\nread b\nsay: done')).toBe('end_turn');
  expect(said(stage.updates).at(-1)).toBe('done');
});

test('the step after the last one is refused and ends the turn', async () => {
  await using stage = await openStage({ limits: { maxSteps: 3 } });
  expect(await stage.prompt('list .\nread a\nread b\nwrite c: x\nsay: never')).toBe('max_turn_requests');
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    status: 'failed',
    rawOutput: { error: { code: 'limit', message: textWith('3 steps') } },
  });
  expect(stage.permissions).toEqual([]);
  expect(stage.updates.at(-1)).toMatchObject({ sessionUpdate: 'usage_update' });
});

test('the same call a third time in a row ends the turn, and is not run', async () => {
  await using stage = await openStage();
  expect(await stage.prompt('list .\nlist .\nlist .\nsay: never')).toBe('max_turn_requests');
  expect(courses(stage.updates)).toEqual([succeeded, succeeded, refused]);
  expect(said(stage.updates)).toEqual([textWith('The same call came 3 times in a row')]);
});

test('the same few calls with the same results, round after round, end the turn', async () => {
  await using stage = await openStage({ limits: { maxIdenticalRounds: 3 } });
  const round = 'list .\nread missing';
  expect(await stage.prompt(`${round}\n${round}\n${round}\nsay: never`)).toBe('max_turn_requests');
  expect(courses(stage.updates).at(-1)).toBe(refused);
  expect(said(stage.updates).at(-1)).toContain('The same 2 calls');
});

test('calls whose results change may go on', async () => {
  await using stage = await openStage({ limits: { maxIdenticalRounds: 3 } });
  await stage.agent.request('session/set_mode', { sessionId: stage.sessionId, modeId: 'full-access' });
  const rounds = Array.from({ length: 6 }, () => 'run echo x >> log; wc -l log\nread log');
  expect(await stage.prompt(`${rounds.join('\n')}\nsay: done`)).toBe('end_turn');
  expect(said(stage.updates).at(-1)).toBe('done');
});

test('a repeat is one step for the step limit and the loop detector', async () => {
  await using stage = await openStage({ limits: { maxSteps: 2 } });
  expect(await stage.prompt('repeat 10: list .\nrepeat 10: list .\nsay: done')).toBe('end_turn');
  expect(courses(stage.updates)).toEqual(Array(20).fill(succeeded));
});

test('a repeat that fails says how often', async () => {
  await using stage = await openStage();
  await stage.prompt('repeat 3: read missing');
  expect(said(stage.updates)).toEqual([textWith('3 of 3 times')]);
});

test('a hundred thousand chunks arrive one by one, each as it is', async () => {
  let count = 0;
  await using stage = await openStage({
    onUpdate: (update) => {
      if (update.sessionUpdate === 'agent_message_chunk') count += 1;
    },
  });
  const text = 'x'.repeat(300);
  expect(await stage.prompt(`repeat 100000: say: ${text}`)).toBe('end_turn');
  expect(count).toBe(100_000);
  expect(said(stage.updates).every((chunk) => chunk === text)).toBe(true);
});

test('a slow client slows the agent down, and misses nothing', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const environment = createNodeEnvironment();
  let thousands = 0;
  const breathe = (): Promise<void> => {
    thousands += 1;
    return environment.clock.breathe();
  };
  let count = 0;
  await using stage = await openStage({
    environment: { ...environment, clock: { ...environment.clock, breathe } },
    onUpdate: (update) => {
      if (update.sessionUpdate !== 'agent_message_chunk') return undefined;
      count += 1;
      return held;
    },
  });
  const stopReason = stage.prompt(`repeat 100000: say: ${'x'.repeat(300)}`);
  for (let tick = 0; tick < 1000; tick += 1) await environment.clock.breathe();
  expect(thousands).toBeLessThan(50);
  release();
  expect(await stopReason).toBe('end_turn');
  expect(count).toBe(100_000);
});

test('each call of one response is answered in order, and the model receives the results', async () => {
  const model = scriptedModel(
    [
      { type: 'text', text: 'I ' },
      { type: 'text', text: 'look' },
      call('a', 'list', { path: '.' }),
      call('b', 'read', { path: 'missing' }),
      call('c', 'nothing', {}),
    ],
    [
      { type: 'text', text: 'done' },
      { type: 'usage', usedTokens: 42 },
    ],
  );
  await using stage = await openStage({ model });
  expect(await stage.prompt('look')).toBe('end_turn');
  expect(model.heard[1]).toMatchObject([
    { role: 'user', text: 'look' },
    { role: 'assistant', text: 'I look', toolCalls: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    {
      role: 'tool',
      results: [
        { id: 'a', isError: false, text: 'The directory is empty' },
        { id: 'b', isError: true, text: textWith('no such file') },
        { id: 'c', isError: true, text: textWith('Unknown tool') },
      ],
    },
  ]);
  expect(stage.updates.at(-1)).toEqual({ sessionUpdate: 'usage_update', used: 42, size: 1000 });
});

test.each([
  ['length', 'max_tokens'],
  ['refusal', 'refusal'],
  ['end', 'end_turn'],
] as const)('a model that stops with %s ends the turn with %s', async (reason, stopReason) => {
  await using stage = await openStage({ model: scriptedModel([{ type: 'stop', reason }]) });
  expect(await stage.prompt('hi')).toBe(stopReason);
});

test('chunks of one message share its id until another update is sent', async () => {
  const model = scriptedModel([
    { type: 'thought', text: 'a' },
    { type: 'text', text: 'b' },
    { type: 'text', text: 'c' },
    { type: 'text', text: 'd', startsMessage: true },
  ]);
  await using stage = await openStage({ model });
  await stage.prompt('hi');
  const ids = stage.updates.flatMap((update) => ('messageId' in update ? [update.messageId] : []));
  expect(ids).toEqual([ids[0], ids[1], ids[1], ids[3]]);
  expect(new Set(ids).size).toBe(3);
});

test('a model that fails fails the prompt, and the session lives', async () => {
  let times = 0;
  const model: Model = {
    id: 'test/failing',
    contextSize: 1000,
    async *respond() {
      times += 1;
      if (times === 1) throw new Error('no connection to the provider');
      yield { type: 'text', text: 'back' };
    },
  };
  await using stage = await openStage({ model });
  await expect(stage.prompt('hi')).rejects.toMatchObject({ code: -32603 });
  expect(await stage.prompt('hi')).toBe('end_turn');
  expect(said(stage.updates)).toEqual(['back']);
});

test('what a cancelled response said is remembered, its calls are not', async () => {
  let cancel = (): void => undefined;
  const heard: ModelMessage[][] = [];
  const model: Model = {
    id: 'test/slow',
    contextSize: 1000,
    async *respond({ messages }, signal) {
      heard.push([...messages]);
      if (heard.length > 1) return;
      yield { type: 'text', text: 'I begin' };
      yield call('a', 'list', { path: '.' });
      cancel();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
  };
  await using stage = await openStage({ model });
  cancel = () => void stage.cancel();
  expect(await stage.prompt('one')).toBe('cancelled');
  expect(await stage.prompt('two')).toBe('end_turn');
  expect(heard[1]).toEqual([
    { role: 'user', text: 'one' },
    { role: 'assistant', text: 'I begin', toolCalls: [] },
    { role: 'user', text: 'two' },
  ]);
});

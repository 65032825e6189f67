import { expect, test } from 'vitest';
import type { Clock } from '../../environment.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import type { ModelMessage, ModelPart, ModelTool } from '../model.ts';
import { createOfflineModel } from './offline-model.ts';

const tools: readonly ModelTool[] = ['read', 'run'].map((name) => ({
  name,
  description: '',
  inputSchema: {},
}));

/** A clock that only records how long it was asked to sleep. */
function fakeClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      return Promise.resolve();
    },
    breathe: () => Promise.resolve(),
  };
}

async function respond(
  messages: readonly ModelMessage[] | string,
  { clock = fakeClock(), signal = new AbortController().signal } = {},
): Promise<ModelPart[]> {
  const list: readonly ModelMessage[] =
    typeof messages === 'string' ? [{ role: 'user', text: messages }] : messages;
  const parts: ModelPart[] = [];
  const request = { instructions: '', messages: list, tools };
  for await (const part of createOfflineModel(clock).respond(request, signal)) {
    parts.push(part);
  }
  return parts;
}

const says = (text: unknown): unknown => ({ type: 'text', text, startsMessage: true });

test('a response starts with the usage and ends with the reason', async () => {
  expect(await respond('say: hi')).toEqual([
    { type: 'usage', usedTokens: estimateTokens([{ role: 'user', text: 'say: hi' }]) },
    says('hi'),
    { type: 'stop', reason: 'end' },
  ]);
});

test('say, think and plan are separate parts, in the order of the lines', async () => {
  expect((await respond('think: a\r\nsay: b\n\nsay: c\nplan: d; e')).slice(1, -1)).toEqual([
    { type: 'thought', text: 'a', startsMessage: true },
    says('b'),
    says('c'),
    {
      type: 'plan',
      entries: [
        { content: 'd', priority: 'medium', status: 'pending' },
        { content: 'e', priority: 'medium', status: 'pending' },
      ],
    },
  ]);
});

test('an instruction with a tool stops the response; what follows waits for the result', async () => {
  const prompt: ModelMessage = { role: 'user', text: 'read a\nsay: done' };
  const call = { id: '0', name: 'read', input: { path: 'a' } };
  expect((await respond([prompt])).slice(1)).toEqual([
    { type: 'tool-call', ...call },
    { type: 'stop', reason: 'tool-calls' },
  ]);
  const rest = await respond([
    prompt,
    { role: 'assistant', text: '', toolCalls: [call] },
    { role: 'tool', results: [{ id: '0', name: 'read', isError: false, text: 'content' }] },
  ]);
  expect(rest.slice(1)).toEqual([says('done'), { type: 'stop', reason: 'end' }]);
});

test('a failed call is reported, and the next line follows', async () => {
  const parts = await respond([
    { role: 'user', text: 'read a\nsay: done' },
    { role: 'assistant', text: '', toolCalls: [{ id: '0', name: 'read', input: { path: 'a' } }] },
    { role: 'tool', results: [{ id: '0', name: 'read', isError: true, text: 'no such file' }] },
  ]);
  expect(parts.slice(1, -1)).toEqual([says('"read a" failed: no such file'), says('done')]);
});

test('only the last prompt is followed', async () => {
  const parts = await respond([
    { role: 'user', text: 'say: old' },
    { role: 'assistant', text: 'old', toolCalls: [] },
    { role: 'user', text: 'say: new' },
  ]);
  expect(parts.slice(1, -1)).toEqual([says('new')]);
});

test('an unknown prompt is answered with the list of instructions, once', async () => {
  const parts = await respond('hello\nsay: x\nwho are you?');
  expect(parts.slice(1, -1)).toEqual([says(expect.stringContaining('repeat N: INSTRUCTION')), says('x')]);
});

test('the list of instructions is not repeated after a tool result', async () => {
  const parts = await respond([
    { role: 'user', text: 'hello\nread a\nbye' },
    { role: 'assistant', text: '', toolCalls: [{ id: '1', name: 'read', input: { path: 'a' } }] },
    { role: 'tool', results: [{ id: '1', name: 'read', isError: false, text: '' }] },
  ]);
  expect(parts.slice(1, -1)).toEqual([]);
});

test('an invalid instruction is answered with its error', async () => {
  expect((await respond('repeat 0: say: x')).slice(1, -1)).toEqual([
    says(expect.stringContaining('from 1 to')),
  ]);
});

test('an instruction whose tool is missing is answered plainly', async () => {
  const [, answer] = await respond('fetch https://example.com');
  expect(answer).toEqual(says(expect.stringContaining('"fetch" is not available')));
});

test('call passes any tool name', async () => {
  const [, call] = await respond('call nothing {"a":1}');
  expect(call).toEqual({ type: 'tool-call', id: '0', name: 'nothing', input: { a: 1 } });
});

test('repeat is one part, with any instruction', async () => {
  expect((await respond('repeat 1000000: say: x')).slice(1, -1)).toEqual([
    { type: 'repeat', times: 1_000_000, part: says('x') },
  ]);
  expect((await respond('repeat 2: read a')).slice(1)).toEqual([
    { type: 'repeat', times: 2, part: { type: 'tool-call', id: '0', name: 'read', input: { path: 'a' } } },
    { type: 'stop', reason: 'tool-calls' },
  ]);
});

test('sleep waits, as often as it is repeated', async () => {
  const clock = fakeClock();
  await respond('sleep 0.5\nrepeat 3: sleep 1', { clock });
  expect(clock.slept).toEqual([500, 1000, 1000, 1000]);
});

test('an aborted response ends with the reason of the signal', async () => {
  await expect(respond('sleep 5', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  );
});

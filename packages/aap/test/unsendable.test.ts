import { AapServerError, type Run, type RunEnd } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { everything, inShort, json, lookUp, says, stage, stageOf, type Stage } from './stage.ts';

type Data = Readonly<Record<string, unknown>>;

const circle: Record<string, unknown> = {};
circle['itself'] = circle;

/** What JSON cannot represent, or no client could read. */
const unsendable: readonly (readonly [name: string, data: Data])[] = [
  ['nested in 200 levels', { deep: nested(200) }],
  ['nested in 50,000 levels', { deep: nested(50_000) }],
  ['a circle', circle],
  ['a number that JSON has not', { count: 5n }],
  ['an object that does not want to be written', { toJSON: () => unwilling() }],
];

const ways: readonly (readonly [way: string, emit: (run: Run, data: Data) => unknown])[] = [
  ['a call', (run, input) => run.toolCall({ toolCallId: 'c1', name: 'read', input })],
  [
    'a result',
    async (run, meta) => {
      await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
      await run.toolResult({ toolCallId: 'c1', content: 'done' }, { meta });
    },
  ],
  ['an extension', (run, data) => run.extension('plan', data)],
  ['a permission', (run, input) => run.permission({ toolCallId: 'c1', name: 'read', input })],
  ["a call of the application's tool", (run, input) => run.callClientTool({ ...lookUpCall, input })],
  ['what it keeps', (run, state) => run.remember(state)],
  ['its usage', (_run, usage) => ({ stopReason: 'end_turn', usage })],
];

const cases = ways.flatMap(([way, emit]) =>
  unsendable.map(([name, data]) => [way, name, emit, data] as const),
);

test.each(cases)('%s that is %s ends the turn with an error, and the next works', async (...given) => {
  const [, , emit, data] = given;
  const { create, turn, send, history } = failing((run) => emit(run, data));
  const sessionId = await create();

  const events = await turn(sessionId, says('go'));
  expect(events.at(-1)).toMatchObject({
    event: 'turn_stop',
    data: { stopReason: 'error', error: { code: 'agent_failed', message: expect.stringContaining('JSON') } },
  });

  expect(inShort(await turn(sessionId, says('again')))).toContain('text_delta fine');
  const answer = await send('POST', `/sessions/${sessionId}/turns`, { stream: 'none', ...says('again') });
  expect(await json(answer)).toMatchObject({ stopReason: 'end_turn' });
  expect((await history(sessionId)).at(-1)).toMatchObject({ content: [{ text: 'fine' }] });
  expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({ status: 'idle' });
});

test('output while calls wait is rejected, and the calls keep waiting', async () => {
  const codes: unknown[] = [];
  let say = (): void => undefined;
  const said = new Promise<void>((resolve) => {
    say = resolve;
  });
  const { create, turn } = stage(async (run) => {
    const permission = run.permission({ toolCallId: 'c1', name: 'read', input: {} });
    await said;
    for (const [, data] of unsendable) {
      try {
        await run.extension('plan', data);
      } catch (error) {
        codes.push(error instanceof AapServerError && error.code);
      }
    }
    const { granted } = await permission;
    await run.toolResult({ toolCallId: 'c1', content: String(granted) });
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  say();
  await expect.poll(() => codes).toEqual(unsendable.map(() => 'not-json'));
  const answer = { messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: true }] };
  expect(inShort(await turn(sessionId, answer))).toContain('tool_result c1="true"');
});

test.each([
  ['none', undefined],
  ['null', null],
  ['an unknown stop reason', { stopReason: 'finished' }],
  ['a pause', { stopReason: 'tool_use' }],
  ['an error without a reason', { stopReason: 'error' }],
])('an invalid end ends the turn with an error that says why: %s', async (_name, end) => {
  const run = (): Promise<RunEnd> => Promise.resolve(end as unknown as RunEnd);
  const { create, turn } = stageOf([{ info: everything, run }]);
  const events = await turn(await create(), says('go'));
  expect(events.at(-1)?.data).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_failed', message: expect.any(String) },
  });
});

test('a rejected result can be sent again in another form', async () => {
  const { create, turn } = stage(async (run) => {
    await run.toolCall({ toolCallId: 'c1', name: 'read', input: {} });
    const content = 'done';
    try {
      await run.toolResult({ toolCallId: 'c1', content }, { meta: circle });
    } catch {
      await run.toolResult({ toolCallId: 'c1', content });
    }
  });
  expect(inShort(await turn(await create(), says('go')))).toEqual([
    'turn_start',
    'tool_call c1',
    'tool_result c1="done"',
    'turn_stop end_turn',
  ]);
});

const lookUpCall = { toolCallId: 'c1', name: lookUp.name };

/** A server whose agent does what a test says at first, and afterwards only says that it is fine. */
function failing(first: (run: Run) => unknown): Stage {
  let runs = 0;
  return stage(async (run) => {
    runs += 1;
    if (runs > 1) return run.text('fine');
    return ((await first(run)) ?? undefined) as RunEnd | undefined;
  });
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function unwilling(): never {
  throw new Error('secret words');
}

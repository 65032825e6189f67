import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createJsonOutput } from './json.ts';
import { createWriter } from './writer.ts';

test('every line carries version, number, time and type, and the stop line is last', async () => {
  const stream = new PassThrough();
  const output = createJsonOutput(createWriter(stream), { now: () => 0 });
  output.session({ sessionId: 's', agent: { name: 'a', version: '1' }, protocolVersion: 1, cwd: '/w' });
  const delegate = { optionId: 'ask', name: 'Ask', kind: 'delegate' };
  const update = { sessionUpdate: 'from_the_future', _meta: { kept: true } };
  void output.event({
    type: 'update',
    text: undefined,
    sessionId: 's',
    update,
    view: { sessionUpdate: 'unknown', raw: update },
    late: false,
    replay: false,
  });
  void output.event({ type: 'diagnostic', level: 'warning', code: 'stdout-noise', message: 'noise' });
  void output.event({
    type: 'permission',
    sessionId: 's',
    requestId: 'r',
    toolCallId: 't',
    options: [
      { optionId: 'no', name: 'No', kind: 'reject_once' },
      { optionId: 'ask', name: 'Ask', kind: 'unknown', raw: delegate },
    ],
    decision: 'no',
    by: 'nobody',
    reason: 'no user to ask',
  });
  void output.event({
    type: 'elicitation',
    requestId: 'q',
    message: 'Which?',
    mode: 'form',
    action: 'cancel',
    by: 'nobody',
  });
  await output.stop({ stopReason: 'end_turn', exitStatus: 0 });

  const head = (seq: number, type: string): object => ({ v: 1, seq, time: '1970-01-01T00:00:00.000Z', type });
  const lines = String(stream.read()).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      ...head(1, 'session'),
      sessionId: 's',
      agent: { name: 'a', version: '1' },
      protocolVersion: 1,
      cwd: '/w',
    },
    { ...head(2, 'update'), update },
    { ...head(3, 'diagnostic'), level: 'warning', code: 'stdout-noise', message: 'noise' },
    {
      ...head(4, 'permission'),
      toolCallId: 't',
      // Options are as they came, too.
      options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }, delegate],
      decision: 'no',
      by: 'nobody',
      reason: 'no user to ask',
    },
    { ...head(5, 'elicitation'), message: 'Which?', mode: 'form', action: 'cancel', by: 'nobody' },
    { ...head(6, 'stop'), stopReason: 'end_turn', exitCode: 0 },
  ]);
});

test('the tool call is printed with the answer only if it was never announced', async () => {
  const stream = new PassThrough();
  const output = createJsonOutput(createWriter(stream), { now: () => 0 });
  const about = { sessionId: 's', options: [] } as const;
  const answer = { type: 'permission', ...about, decision: 'cancelled', by: 'nobody', reason: 'r' } as const;
  const update = { sessionUpdate: 'tool_call', toolCallId: 'known', title: 'cat b.txt' } as const;
  const hologram = { type: 'hologram', depth: 3 };
  const video = { type: 'video', url: 'v' };
  void output.event({
    type: 'update',
    text: undefined,
    sessionId: 's',
    update,
    view: update,
    late: false,
    replay: false,
  });
  for (const toolCall of [
    { toolCallId: 'known', title: 'cat b.txt' },
    {
      toolCallId: 'new',
      title: 'rm a.txt',
      rawInput: { command: 'rm a.txt' },
      content: [
        { type: 'unknown', raw: hologram },
        { type: 'content', content: { type: 'unknown', raw: video } },
      ],
    },
  ] as const) {
    void output.event({ type: 'permission-request', ...about, requestId: toolCall.toolCallId, toolCall });
  }
  void output.event({ ...answer, requestId: 'known', toolCallId: 'known' });
  void output.event({ ...answer, requestId: 'new', toolCallId: 'new' });
  await output.stop({ stopReason: 'end_turn', exitStatus: 0 });

  const lines = String(stream.read()).trimEnd().split('\n');
  const [, known, unknown] = lines.map((line): unknown => JSON.parse(line));
  expect(known).not.toHaveProperty('toolCall');
  expect(unknown).toMatchObject({ type: 'permission', toolCallId: 'new', decision: 'cancelled' });
  expect(unknown).toHaveProperty('toolCall', {
    toolCallId: 'new',
    title: 'rm a.txt',
    rawInput: { command: 'rm a.txt' },
    content: [hologram, { type: 'content', content: video }],
  });
});

test('a stop with an error has no stop reason', async () => {
  const stream = new PassThrough();
  const output = createJsonOutput(createWriter(stream), { now: () => 0 });
  await output.stop({ error: { code: -32000, message: 'sign in', data: { a: 1 } }, exitStatus: 7 });
  expect(JSON.parse(String(stream.read()))).toEqual({
    v: 1,
    seq: 1,
    time: '1970-01-01T00:00:00.000Z',
    type: 'stop',
    error: { code: -32000, message: 'sign in', data: { a: 1 } },
    exitCode: 7,
  });
});

import type { CreateElicitationRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import { codes, only, script, type Step } from './harness.ts';

const form = {
  mode: 'form',
  message: 'Which colour?',
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
};

function elicit(params: object): Step {
  return { request: 'elicitation/create', params: { sessionId: '$SESSION', ...params } };
}

const askUser: Step = {
  request: '_agentao.cn/ask_user',
  params: { sessionId: '$SESSION', question: 'Which colour?' },
};

test('the event has the answer: labels of choices and typed text, without secrets', async () => {
  const properties = {
    colour: { type: 'string', oneOf: [{ const: 'b', title: 'Blue' }] },
    sizes: { type: 'array', items: { type: 'string', enum: ['small', 'large'] } },
    note: { type: 'string' },
    count: { type: 'integer' },
    apiKey: { type: 'string' },
    code: { type: 'string', title: 'Your PIN' },
  };
  const content = {
    colour: 'b',
    sizes: ['large'],
    note: 'clear sky',
    count: 3,
    apiKey: 'private-1',
    code: 'private-2',
    toString: 'private-3',
  };
  const { play, events } = await script({
    interact: { elicitation: () => Promise.resolve({ action: 'accept', content }) },
  });

  await play(elicit({ ...form, requestedSchema: { type: 'object', properties } }));

  expect(only(events, 'elicitation')).toMatchObject([
    { action: 'accept', chosen: ['Blue', 'large', 'clear sky', '3'] },
  ]);
  expect(JSON.stringify(only(events, 'elicitation'))).not.toContain('private');
});

test('typed text reaches the agent and the event', async () => {
  const { play, answers, events, session } = await script({
    interact: { elicitation: () => Promise.resolve({ action: 'accept', content: { colour: 'blue' } }) },
  });

  await play(elicit(form));

  expect(answers()).toEqual([{ result: { action: 'accept', content: { colour: 'blue' } } }]);
  expect(only(events, 'elicitation')).toEqual([
    {
      type: 'elicitation',
      sessionId: session.id,
      requestId: expect.any(String),
      message: 'Which colour?',
      mode: 'form',
      action: 'accept',
      chosen: ['blue'],
      by: 'person',
    },
  ]);
});

test('the user sees the whole URL', async () => {
  const asked: CreateElicitationRequest[] = [];
  const { play, answers } = await script({
    interact: {
      elicitation: (request) => {
        asked.push(request);
        return Promise.resolve({ action: 'decline' });
      },
    },
  });

  await play(
    elicit({ mode: 'url', message: 'Log in', elicitationId: 'e1', url: 'https://example.com/login?a=b' }),
  );

  expect(asked).toMatchObject([{ mode: 'url', url: 'https://example.com/login?a=b' }]);
  expect(answers()).toEqual([{ result: { action: 'decline' } }]);
});

test('without a user a question is cancelled by default', async () => {
  const { play, answers, events } = await script();

  await play(elicit(form), askUser);

  expect(answers()).toEqual([
    { result: { action: 'cancel' } },
    { result: { answer: '(user unavailable)', outcome: 'cancelled' } },
  ]);
  expect(only(events, 'elicitation')).toMatchObject([
    { message: 'Which colour?', mode: 'form', action: 'cancel', by: 'nobody' },
    { message: 'Which colour?', mode: 'form', action: 'cancel', by: 'nobody' },
  ]);
});

test('an elicitation of an unknown mode is not shown to the user', async () => {
  const { play, answers, events } = await script({
    interact: { elicitation: () => Promise.resolve({ action: 'accept' }) },
  });

  await play(elicit({ mode: 'hologram', message: 'Look!' }));

  expect(answers()).toMatchObject([{ error: { code: -32602 } }]);
  expect(only(events, 'elicitation')).toEqual([]);
});

test("Agentao's question is a form with one field, and the answer has both known forms", async () => {
  const asked: CreateElicitationRequest[] = [];
  const { play, answers } = await script({
    interact: {
      elicitation: (request) => {
        asked.push(request);
        return Promise.resolve({ action: 'accept', content: { answer: 'blue' } });
      },
    },
  });

  await play(askUser, { request: '_agentao.cn/ask_user', params: { sessionId: '$SESSION' } });

  expect(asked).toMatchObject([
    { mode: 'form', message: 'Which colour?', requestedSchema: { required: ['answer'] } },
  ]);
  expect(answers()).toMatchObject([
    { result: { answer: 'blue', outcome: 'answered', text: 'blue' } },
    { error: { code: -32602 } },
  ]);
});

test.each([
  [false, { answer: 'red' }, 'red'],
  [false, { answer: 'red', other: 'pink' }, 'pink'],
  [true, { answer: ['red', 'blue'] }, 'red, blue'],
  [true, { answer: ['red'], other: 'pink' }, 'red, pink'],
  [true, {}, '(user unavailable)'],
] as const)(
  "the options of Agentao's question are to choose from (several: %s), and %j answers %j",
  async (multiple, content, answer) => {
    const asked: CreateElicitationRequest[] = [];
    const { play, answers } = await script({
      interact: {
        elicitation: (request) => {
          asked.push(request);
          return Promise.resolve({ action: 'accept', content });
        },
      },
    });
    const options = [{ label: 'red', description: 'like fire' }, 'blue', 7, { title: 'no label' }];

    await play({
      request: '_agentao.cn/ask_user',
      params: { sessionId: '$SESSION', question: 'Which?', options, multiple },
    });

    const choices = [
      { const: 'red', title: 'red', description: 'like fire' },
      { const: 'blue', title: 'blue' },
    ];
    expect(asked).toMatchObject([
      {
        requestedSchema: {
          properties: {
            answer: multiple
              ? { type: 'array', items: { anyOf: choices } }
              : { type: 'string', oneOf: choices },
            other: { type: 'string' },
          },
        },
      },
    ]);
    expect(answers()).toMatchObject([{ result: { answer } }]);
  },
);

test('a notification that an elicitation in the browser is complete emits no diagnostic', async () => {
  const { play, events } = await script();
  const notification = { jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'e1' } };

  await play({ stdout: `${JSON.stringify(notification)}\n` }, { say: 'on' });

  expect(codes(events)).toEqual([]);
});

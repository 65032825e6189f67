import type { CreateElicitationRequest } from '@parley/acp';
import { expect, test } from 'vitest';
import { only, script, type Step } from './harness.ts';

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

test('a person answers a form, and the answer goes to the agent and not into the event', async () => {
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
      by: 'person',
    },
  ]);
});

test('a person is shown the whole URL', async () => {
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

test('without a person a question is answered cancel, by nobody', async () => {
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

test('a mode that nobody knows is shown to nobody', async () => {
  const { play, answers, events } = await script({
    interact: { elicitation: () => Promise.resolve({ action: 'accept' }) },
  });

  await play(elicit({ mode: 'hologram', message: 'Look!' }));

  expect(answers()).toMatchObject([{ error: { code: -32602 } }]);
  expect(only(events, 'elicitation')).toEqual([]);
});

test("Agentao's question is a form with one field, and its answer is in both of the forms there are", async () => {
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

import { expect, test } from 'vitest';
import { anyText } from './matchers.ts';
import { courses, openStage, succeeded, toolUpdates } from './stage.ts';
import type { StageOptions } from './stage.ts';

const answerOf = async (options: StageOptions): Promise<unknown> => {
  await using stage = await openStage(options);
  expect(await stage.prompt('ask: Which one?')).toBe('end_turn');
  expect(toolUpdates(stage.updates)[0]).toMatchObject({ title: 'Ask: Which one?', kind: 'other' });
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(stage.permissions).toEqual([]);
  const done = toolUpdates(stage.updates).at(-1);
  expect(done).toEqual(expect.objectContaining({ rawOutput: { answer: anyText } }));
  const [content] = done?.content ?? [];
  return content?.type === 'content' && content.content.type === 'text' ? content.content.text : undefined;
};

const unavailable = '(user unavailable)';

test('a client with forms is asked by one, with the id of the call', async () => {
  let asked: unknown;
  const answer = await answerOf({
    capabilities: { elicitation: { form: {} } },
    onElicitation: (request) => {
      asked = request;
      return { action: 'accept', content: { answer: 'the left one' } };
    },
  });
  expect(answer).toBe('the left one');
  expect(asked).toMatchObject({
    mode: 'form',
    sessionId: anyText,
    toolCallId: anyText,
    message: 'Which one?',
    requestedSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
  });
});

test.each([
  ['decline', { action: 'decline' }],
  ['cancel', { action: 'cancel' }],
  ['no content', { action: 'accept' }],
  ['a number', { action: 'accept', content: { answer: 5 } }],
  ['nothing but spaces', { action: 'accept', content: { answer: ' ' } }],
] as const)('a form answered with %s is no answer', async (_name, response) => {
  const answer = await answerOf({
    capabilities: { elicitation: { form: {} } },
    onElicitation: () => response,
  });
  expect(answer).toBe(unavailable);
});

test.each([
  ['{answer}', { answer: 'blue' }, 'blue'],
  ['{outcome, text}', { outcome: 'answered', text: 'blue' }, 'blue'],
  ['{}', {}, unavailable],
  ['null', null, unavailable],
  ['a cancel', { outcome: 'cancelled' }, unavailable],
  ['an unknown shape', { reply: 'blue' }, unavailable],
  ['an empty text', { answer: '' }, unavailable],
  ['the sentinel', { answer: unavailable }, unavailable],
])('a client without forms answers the extension with %s', async (_name, result, expected) => {
  let asked: unknown;
  const answer = await answerOf({
    extensions: {
      '_agentao.cn/ask_user': {
        handle: (params) => {
          asked = params;
          return result;
        },
      },
    },
  });
  expect(answer).toBe(expected);
  expect(asked).toEqual({ sessionId: anyText, question: 'Which one?' });
});

test('a client that knows neither is no user', async () => {
  expect(await answerOf({})).toBe(unavailable);
});

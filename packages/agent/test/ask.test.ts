import { expect, test } from 'vitest';
import { anyText, textWith } from './matchers.ts';
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

test('a client with forms receives a form, with the id of the call', async () => {
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

const options = [{ label: 'left', description: 'The old one' }, { label: 'right' }];
const oneOf = `call ask ${JSON.stringify({ question: 'Which?', options })}`;
const someOf = `call ask ${JSON.stringify({ question: 'Which?', options: ['left', 'right'], multiple: true })}`;

/** What came of a line, and the form the client got for it. */
async function fillIn(
  line: string,
  content: Readonly<Record<string, string | readonly string[]>>,
): Promise<{ readonly answer: unknown; readonly form: unknown }> {
  let form: unknown;
  await using stage = await openStage({
    capabilities: { elicitation: { form: {} } },
    onElicitation: (request) => {
      form = request.mode === 'form' ? request.requestedSchema : undefined;
      return { action: 'accept', content };
    },
  });
  await stage.prompt(line);
  return { answer: toolUpdates(stage.updates).at(-1)?.rawOutput, form };
}

test('options are choices of a form, with a field for another answer', async () => {
  const { answer, form } = await fillIn(oneOf, { answer: 'left' });
  expect(answer).toEqual({ answer: 'left' });
  expect(form).toEqual({
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        title: 'Answer',
        oneOf: [
          { const: 'left', title: 'left', description: 'The old one' },
          { const: 'right', title: 'right' },
        ],
      },
      other: { type: 'string', title: 'Something else' },
    },
  });
});

test('several options are a list of choices', async () => {
  const { answer, form } = await fillIn(someOf, { answer: ['left', 'right'] });
  expect(answer).toEqual({ answer: 'left, right' });
  expect(form).toMatchObject({
    properties: {
      answer: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'left', title: 'left' },
            { const: 'right', title: 'right' },
          ],
        },
      },
    },
  });
});

test.each([
  ['other words instead of a choice', oneOf, { other: 'neither' }, 'neither'],
  ['other words that go before the choice', oneOf, { answer: 'left', other: 'neither' }, 'neither'],
  ['other words beside several choices', someOf, { answer: ['left'], other: 'up' }, 'left, up'],
  ['what is no choice', oneOf, { answer: 'middle' }, unavailable],
  ['a list where one is wanted', oneOf, { answer: ['left'] }, unavailable],
  ['a text where a list is wanted', someOf, { answer: 'left' }, unavailable],
  ['choices of which one is none', someOf, { answer: ['left', 'middle'] }, 'left'],
  ['nothing', oneOf, {}, unavailable],
])('a form with choices is answered with %s', async (_name, line, content, expected) => {
  expect((await fillIn(line, content)).answer).toEqual({ answer: expected });
});

test('a client without forms gets the options in the question, and may answer freely', async () => {
  const asked: unknown[] = [];
  await using stage = await openStage({
    extensions: {
      '_agentao.cn/ask_user': {
        handle: (params) => {
          asked.push(params);
          return { outcome: 'answered', text: 'up' };
        },
      },
    },
  });
  await stage.prompt(`${oneOf}\n${someOf}`);
  expect(asked).toEqual([
    { sessionId: stage.sessionId, question: 'Which?', options },
    {
      sessionId: stage.sessionId,
      question: 'Which?',
      options: [{ label: 'left' }, { label: 'right' }],
      multiple: true,
    },
  ]);
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { answer: 'up' } });
});

test.each([
  ['no list', '"left"', '"options" must be a list'],
  ['an option without a label', '[{"description":"x"}]', 'options[0]: "label"'],
  ['the same option twice', '["a","a"]', 'must be unique'],
  ['too many options', JSON.stringify(Array.from({ length: 21 }, String)), 'at most 20'],
])('a question with %s fails', async (_name, list, message) => {
  await using stage = await openStage();
  await stage.prompt(`call ask {"question":"Which?","options":${list}}`);
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({
    status: 'failed',
    rawOutput: { error: { code: 'invalid-input', message: textWith(message) } },
  });
});

test('a client that supports neither counts as no user', async () => {
  expect(await answerOf({})).toBe(unavailable);
});

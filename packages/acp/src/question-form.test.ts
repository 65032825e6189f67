import { Invalid } from '@parley/wire';
import { expect, test } from 'vitest';
import { type FormQuestion, readQuestionForm, toQuestionForm } from './question-form.ts';
import type { ElicitationContentValue } from './schema/v1/elicitation.ts';
import { parseElicitationSchema } from './schema/v1/parsers.ts';

const colours: FormQuestion = { options: [{ label: 'red' }, { label: 'blue', description: 'like the sea' }] };

const read = (
  question: FormQuestion,
  content: Readonly<Record<string, ElicitationContentValue>>,
): string | undefined => readQuestionForm({ action: 'accept', content }, question);

test('a question without choices has one required field', () => {
  expect(toQuestionForm({})).toMatchObject({
    properties: { answer: { type: 'string' } },
    required: ['answer'],
  });
  expect(read({}, { answer: 'in words' })).toBe('in words');
  expect(read({}, { answer: ' ' })).toBeUndefined();
  expect(read({}, { answer: 5 })).toBeUndefined();
});

test('choices have descriptions, and a field for another answer', () => {
  expect(toQuestionForm(colours)).toMatchObject({
    properties: {
      answer: {
        oneOf: [
          { const: 'red', title: 'red' },
          { const: 'blue', description: 'like the sea' },
        ],
      },
      other: { type: 'string' },
    },
  });
  expect(toQuestionForm({ ...colours, isMultiple: true })).toMatchObject({
    properties: { answer: { type: 'array', items: { anyOf: [{ const: 'red' }, { const: 'blue' }] } } },
  });
});

test.each([{}, colours, { ...colours, isMultiple: true }])(
  'the form of %j is one of the protocol',
  (question) => {
    expect(parseElicitationSchema(toQuestionForm(question))).not.toBeInstanceOf(Invalid);
  },
);

test('an own answer replaces a single choice, and is added to multiple choices', () => {
  expect(read(colours, { answer: 'red' })).toBe('red');
  expect(read(colours, { answer: 'red', other: 'green' })).toBe('green');
  expect(read({ ...colours, isMultiple: true }, { answer: ['red', 'blue'], other: 'green' })).toBe(
    'red, blue, green',
  );
});

test('values that were not offered or not given are not an answer', () => {
  expect(read(colours, { answer: 'pink' })).toBeUndefined();
  expect(read({ ...colours, isMultiple: true }, { answer: ['pink'] })).toBeUndefined();
  expect(readQuestionForm({ action: 'accept' }, colours)).toBeUndefined();
  expect(readQuestionForm({ action: 'decline' }, colours)).toBeUndefined();
});

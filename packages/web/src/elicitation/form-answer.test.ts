import { readQuestionForm, toQuestionForm, type ElicitationSchema } from '@parley/acp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readForm, type FieldFault } from './form-answer.ts';
import { toFields, toInitialValues, type FieldValue, type FormValues } from './form-field.ts';

function read(schema: ElicitationSchema, values: FormValues = {}): ReturnType<typeof readForm> {
  return readForm(toFields(schema, ''), { ...toInitialValues(schema), ...values });
}

function faultOf(schema: ElicitationSchema, values: FormValues): FieldFault | undefined {
  const answer = read(schema, values);
  return answer.kind === 'faults' ? answer.faults.get('it') : undefined;
}

function only(it: NonNullable<ElicitationSchema['properties']>[string]): ElicitationSchema {
  return { properties: { it } };
}

test('a form starts with its defaults, and sends them', () => {
  const schema: ElicitationSchema = {
    properties: {
      text: { type: 'string', default: 'a' },
      count: { type: 'integer', default: 3 },
      flag: { type: 'boolean', default: true },
      list: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['y'] },
      empty: { type: 'string' },
    },
  };
  expect(read(schema)).toEqual({
    kind: 'content',
    content: { text: 'a', count: 3, flag: true, list: ['y'] },
  });
});

test('each required and empty field is reported', () => {
  const schema: ElicitationSchema = {
    properties: { one: { type: 'string' }, two: { type: 'number' }, three: { type: 'string' } },
    required: ['one', 'two'],
  };
  expect(read(schema)).toEqual({
    kind: 'faults',
    faults: new Map([
      ['one', { kind: 'missing' }],
      ['two', { kind: 'missing' }],
    ]),
  });
});

test.each<[ElicitationSchema, FieldValue, FieldFault]>([
  [only({ type: 'string', minLength: 3 }), '😀😀', { kind: 'too-short', bound: 3 }],
  [only({ type: 'string', maxLength: 2 }), 'abc', { kind: 'too-long', bound: 2 }],
  [only({ type: 'string', format: 'email' }), 'ada', { kind: 'format', format: 'email' }],
  [only({ type: 'string', format: 'uri' }), 'not an address', { kind: 'format', format: 'uri' }],
  [only({ type: 'string', format: 'date' }), '2026-13-45', { kind: 'format', format: 'date' }],
  [only({ type: 'string', pattern: '^[a-z]+$' }), 'A1', { kind: 'pattern', pattern: '^[a-z]+$' }],
  [only({ type: 'string', enum: ['a'] }), 'b', { kind: 'not-a-choice' }],
  [only({ type: 'number' }), '0x10', { kind: 'not-a-number' }],
  [only({ type: 'integer' }), '1.5', { kind: 'not-whole' }],
  [only({ type: 'number', minimum: 1 }), '0', { kind: 'too-small', bound: 1 }],
  [only({ type: 'number', maximum: 1 }), '2', { kind: 'too-large', bound: 1 }],
  [
    only({ type: 'array', minItems: 2, items: { type: 'string', enum: ['a', 'b'] } }),
    ['a'],
    { kind: 'too-few', bound: 2 },
  ],
  [
    only({ type: 'array', maxItems: 1, items: { type: 'string', enum: ['a', 'b'] } }),
    ['a', 'b'],
    { kind: 'too-many', bound: 1 },
  ],
  [only({ type: 'unknown', raw: { type: 'object' } }), '{"a": 1}', { kind: 'not-json' }],
])('%j does not take %j', (schema, value, fault) => {
  expect(faultOf(schema, { it: value })).toEqual(fault);
});

test('a field of an unknown type takes its value as JSON', () => {
  const schema = only({ type: 'unknown', raw: { type: 'tuple' } });
  expect(read(schema, { it: '["a", "b"]' })).toEqual({ kind: 'content', content: { it: ['a', 'b'] } });
});

test('a date and time is sent with its time zone', () => {
  const schema = only({ type: 'string', format: 'date-time', default: '2026-11-22T10:00:00+02:00' });
  expect(read(schema)).toEqual({ kind: 'content', content: { it: '2026-11-22T08:00:00.000Z' } });
});

test('an invalid or expensive pattern is left to the agent', () => {
  const patience = only({ type: 'string', pattern: '^(a+)+$' });
  expect(read(patience, { it: `${'a'.repeat(50)}!` }).kind).toBe('content');
  expect(read(only({ type: 'string', pattern: '(' }), { it: 'a' }).kind).toBe('content');
});

test('a question with free text requires an answer', () => {
  const question = { options: [{ label: 'tea' }, { label: 'coffee' }] };
  const schema = toQuestionForm(question);
  expect(read(schema)).toMatchObject({ kind: 'faults' });
  for (const [values, expected] of [
    [{ answer: 'tea' }, 'tea'],
    [{ other: 'water' }, 'water'],
    [{ answer: 'tea', other: 'water' }, 'water'],
  ] as const) {
    const answer = read(schema, values);
    const content = answer.kind === 'content' ? answer.content : {};
    expect(readQuestionForm({ action: 'accept', content }, question)).toBe(expected);
  }
});

test('any input results in valid content, or in errors that each name a field', () => {
  const schema: ElicitationSchema = {
    properties: {
      text: { type: 'string', minLength: 2, maxLength: 5 },
      count: { type: 'integer', minimum: -3, maximum: 3 },
      choice: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      list: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'A' },
            { const: 'b', title: 'B' },
          ],
        },
        maxItems: 1,
      },
    },
    required: ['count'],
  };
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.array(fc.constantFrom('a', 'b', 'c')));
  const values = fc.record({ text: value, count: value, choice: value, list: value });
  fc.assert(
    fc.property(values, (given) => {
      const answer = readForm(toFields(schema, ''), given);
      if (answer.kind === 'faults') {
        expect(answer.faults.size).toBeGreaterThan(0);
        for (const name of answer.faults.keys()) expect(Object.keys(schema.properties ?? {})).toContain(name);
        return;
      }
      const { text = 'ab', count, choice = 'a', list = [] } = answer.content;
      expect(Array.from(String(text)).length).toSatisfy((length: number) => length >= 2 && length <= 5);
      expect(count).toSatisfy((number: number) => Number.isInteger(number) && Math.abs(number) <= 3);
      expect(choice).toBe('a');
      expect([[], ['a'], ['b']]).toContainEqual(list);
    }),
  );
});

import type { ElicitationPropertySchema } from '@parley/acp';
import { expect, test } from 'vitest';
import { parseField } from './form.ts';

const value = (property: ElicitationPropertySchema, typed: string): unknown => {
  const reply = parseField(property, typed);
  return reply.kind === 'value' ? reply.value : reply.kind;
};

test('an empty line accepts the default, or leaves the field empty', () => {
  expect(value({ type: 'string', default: 'x' }, ' ')).toBe('x');
  expect(value({ type: 'boolean', default: false }, '')).toBe(false);
  expect(value({ type: 'string' }, '')).toBe('empty');
});

test('text length is validated', () => {
  expect(value({ type: 'string', minLength: 2, maxLength: 3 }, 'ab')).toBe('ab');
  expect(value({ type: 'string', minLength: 2 }, 'a')).toBe('wrong');
  expect(value({ type: 'string', maxLength: 1 }, '👩')).toBe('👩');
});

test('a choice is named by its number or its value', () => {
  const property: ElicitationPropertySchema = {
    type: 'string',
    oneOf: [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ],
  };
  expect(value(property, '2')).toBe('g');
  expect(value(property, 'r')).toBe('r');
  expect(value(property, '3')).toBe('wrong');
  expect(value({ type: 'string', enum: ['a', 'b'] }, '1')).toBe('a');
});

test('numbers and integers are validated, with their bounds', () => {
  expect(value({ type: 'number' }, '1.5')).toBe(1.5);
  expect(value({ type: 'integer' }, '1.5')).toBe('wrong');
  expect(value({ type: 'integer', minimum: 1, maximum: 3 }, '3')).toBe(3);
  expect(value({ type: 'integer', minimum: 1, maximum: 3 }, '4')).toBe('wrong');
  expect(value({ type: 'number' }, 'many')).toBe('wrong');
});

test('yes and no are booleans', () => {
  expect(value({ type: 'boolean' }, 'Yes')).toBe(true);
  expect(value({ type: 'boolean' }, 'n')).toBe(false);
  expect(value({ type: 'boolean' }, 'maybe')).toBe('wrong');
});

test('several choices are numbers separated by commas; duplicates count once', () => {
  const property: ElicitationPropertySchema = {
    type: 'array',
    minItems: 1,
    maxItems: 2,
    items: { type: 'string', enum: ['a', 'b', 'c'] },
  };
  expect(value(property, '1, 3')).toEqual(['a', 'c']);
  expect(value(property, '1 1')).toEqual(['a']);
  expect(value(property, '1,2,3')).toBe('wrong');
  expect(value(property, '9')).toBe('wrong');
});

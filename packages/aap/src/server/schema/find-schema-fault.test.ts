import { describe, expect, test } from 'vitest';
import { jsonSchema } from '../../schema/json-schema.ts';
import { findInputFault } from './find-input-fault.ts';
import { findSchemaFault } from './find-schema-fault.ts';

describe('findSchemaFault', () => {
  test.for([
    [7, 'expected true or false or an object'],
    [{ type: 'text' }, 'type: expected a type of JSON'],
    [{ type: ['string', 'nil'] }, 'type[1]: expected a type of JSON'],
    [{ properties: { a: { items: null } } }, 'properties.a.items: expected true or false or an object'],
    [{ properties: [] }, 'properties: expected an object'],
    [{ required: 'a' }, 'required: expected a list'],
    [{ anyOf: [{}, { minLength: -1 }] }, 'anyOf[1].minLength: expected a whole number, 0 or more'],
    [{ pattern: '(' }, 'pattern: expected a regular expression'],
    [{ multipleOf: 0 }, 'multipleOf: expected a number above 0'],
  ] as const)('%j is none', ([schema, fault]) => {
    expect(findSchemaFault(schema)?.message).toBe(fault);
  });

  test('schemas of any draft are accepted, also with custom keywords', () => {
    expect(findSchemaFault(true)).toBeUndefined();
    expect(findSchemaFault(jsonSchema('AgentInfo'))).toBeUndefined();
    expect(
      findSchemaFault({ items: [{ type: 'string' }], exclusiveMinimum: true, 'x-own': [[]] }),
    ).toBeUndefined();
    expect(findSchemaFault({ properties: { type: { const: 'text' }, pattern: true } })).toBeUndefined();
  });

  test('nested schemas are limited in depth', () => {
    let schema: object = {};
    for (let depth = 0; depth < 100_000; depth++) schema = { not: schema };
    expect(findSchemaFault(schema)?.expected).toBe('at most 64 nested schemas');
  });
});

describe('findInputFault', () => {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { $ref: '#/$defs/days' } },
    required: ['city'],
    $defs: { days: { type: 'integer', maximum: 14 } },
  };

  test('reports the fault and its path', () => {
    expect(findInputFault(parameters, { city: 'Bern', days: 3 })).toBeUndefined();
    expect(findInputFault(parameters, { city: 'Bern', days: 15 })).toMatch(/^#\/days: .*14/);
    expect(findInputFault(parameters, {})).toMatch(/city/);
    expect(findInputFault(false, {})).toMatch(/false/i);
  });

  test('schema lists follow the draft that the schema names', () => {
    const list = { properties: { pair: { items: [{ type: 'string' }, { type: 'number' }] } } };
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...list };
    expect(findInputFault(draft7, { pair: ['a', 'b'] })).toMatch(/pair\/1/);
  });

  test('runs no foreign regular expression', () => {
    const input = { text: `${'a'.repeat(50)}!` };
    const evil = '^(a+)+$';
    expect(
      findInputFault({ properties: { text: { pattern: evil, format: 'email' } } }, input),
    ).toBeUndefined();
    expect(
      findInputFault({ patternProperties: { [evil]: {} }, additionalProperties: false }, { [input.text]: 1 }),
    ).toBeUndefined();
    expect(findInputFault({ properties: { pattern: { type: 'string' } } }, { pattern: 1 })).toMatch(
      /pattern/,
    );
  });

  test('follows no chains of references', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/$defs/${at + 1}` };
        return [String(at), { anyOf: [next, next] }];
      }),
    );
    const schema = { $ref: '#/$defs/0', $defs: { ...$defs, 60: false } };
    expect(findInputFault(schema, {})).toBeUndefined();
    const tree = { properties: { next: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } };
    expect(findInputFault(tree, { next: 1 })).toBeUndefined();
  });

  test('keywords that cannot be applied are ignored', () => {
    expect(findInputFault({ $ref: 'https://example.com/other.json' }, {})).toBeUndefined();
    expect(findInputFault({ $ref: '#' }, {})).toBeUndefined();
  });
});

import { Invalid } from '@parley/wire';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitions, type DefinitionName } from './definitions.ts';
import { jsonSchema } from './json-schema.ts';
import { parseStrict, parseTolerant } from './parse.ts';
import type { Schema } from './schema.ts';

const user = { role: 'user', content: 'Hello' };

function faultOf(value: unknown): string | undefined {
  return value instanceof Invalid ? value.message : undefined;
}

describe('parseStrict', () => {
  test('reports the path of a fault, and the expected value', () => {
    const turn = (value: unknown): string | undefined =>
      faultOf(parseStrict('PostSessionTurnRequest', value));
    expect(turn([])).toBe('expected an object');
    expect(turn({})).toBe('messages: expected a list');
    expect(turn({ messages: [user, null] })).toBe('messages[1]: expected an object');
    expect(turn({ messages: [{ role: 'system', content: '' }] })).toBe(
      'messages[0].role: expected "user" or "tool" or "tool_permission"',
    );
    expect(
      turn({ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text' }] }] }),
    ).toBe('messages[0].content[1].text: expected a string');
    expect(turn({ messages: [{ role: 'user', content: 7 }] })).toBe(
      'messages[0].content: expected a string or a list',
    );
    expect(turn({ messages: [{ role: 'tool_permission', toolCallId: '1', granted: 'yes' }] })).toBe(
      'messages[0].granted: expected true or false',
    );
    expect(turn({ messages: [user], stream: 'all' })).toBe('stream: expected "delta" or "message" or "none"');
    expect(turn({ messages: [user], agent: { options: { model: null } } })).toBe(
      'agent.options.model: expected a string',
    );
    expect(turn({ messages: [user], tools: null })).toBe('tools: expected a list');
    expect(turn({ messages: [user], tools: [{ name: '', description: '', parameters: {} }] })).toBe(
      'tools[0].name: expected a string that is not empty',
    );
    expect(turn({ messages: [user], tools: [{ name: 'a', description: '' }] })).toBe(
      'tools[0].parameters: expected true or false or an object',
    );
  });

  test('leaves the value unchanged, including unknown fields', () => {
    const request = {
      agent: { name: 'echo', color: 'blue' },
      messages: [{ ...user, _meta: {} }],
      later: null,
    };
    expect(parseStrict('PostSessionsRequest', request)).toBe(request);
  });

  test('ignores names from the object prototype', () => {
    expect(faultOf(parseStrict('ContentBlock', { type: 'constructor' }))).toMatch(/^type: expected "text"/);
    const options = JSON.parse('{"__proto__": 1}') as unknown;
    expect(faultOf(parseStrict('AgentConfig', { name: 'a', options }))).toBe(
      'options.__proto__: expected a string',
    );
    expect(faultOf(parseStrict('OptionValues', { constructor: 'a' }))).toBeUndefined();
  });

  test('shortens a long key of a map in its fault', () => {
    expect(faultOf(parseStrict('OptionValues', { ['a'.repeat(1000)]: 1 }))?.length).toBeLessThan(100);
  });

  test('agrees with another validator of JSON Schema about any value', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const names = Object.keys(definitions) as DefinitionName[];
    ajv.addSchema(jsonSchema('AgentInfo'), 'aap');
    fc.assert(
      fc.property(
        fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), valueOf(name))),
        ([name, value]) => {
          const isValid = !(parseStrict(name, value) instanceof Invalid);
          expect(isValid).toBe(ajv.getSchema(`aap#/$defs/${name}`)?.(value));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('parseTolerant', () => {
  test('returns unknown variants as unknown, with the raw value', () => {
    const audio = { type: 'audio', url: 'data:audio/wav;base64,' };
    expect(
      parseTolerant('PostSessionTurnResponse', {
        stopReason: 'paused',
        messages: [
          { role: 'assistant', content: [audio, { type: 'text', text: 'a' }] },
          { role: 'critic', content: 'No.' },
        ],
      }),
    ).toEqual({
      stopReason: 'paused',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'unknown', raw: audio },
            { type: 'text', text: 'a' },
          ],
        },
        { role: 'unknown', raw: { role: 'critic', content: 'No.' } },
      ],
    });
    expect(parseTolerant('TurnEvent', { event: 'plan', entries: [] })).toEqual({
      event: 'unknown',
      raw: { event: 'plan', entries: [] },
    });
  });

  test('reads null as absent for optional fields', () => {
    const agent = { name: 'echo', version: '1.0.0', title: null, capabilities: { stream: null } };
    expect(parseTolerant('GetMetaResponse', { version: 3, agents: [agent], extra: null })).toEqual({
      version: 3,
      agents: [{ name: 'echo', version: '1.0.0', capabilities: {} }],
      extra: null,
    });
    expect(agent.title).toBeNull();
    expect(faultOf(parseTolerant('PostSessionsResponse', { sessionId: null }))).toBe(
      'sessionId: expected a string',
    );
  });

  test('does not copy values that need no change', () => {
    const event = { event: 'text_delta', delta: 'a', _meta: { x: 1 } };
    expect(parseTolerant('TurnEvent', event)).toBe(event);
  });

  test('refuses another version of the protocol', () => {
    expect(faultOf(parseTolerant('GetMetaResponse', { version: 4, agents: [] }))).toBe('version: expected 3');
  });
});

/** Values that are often right, and wrong in one place or another. */
function valueOf(name: DefinitionName): fc.Arbitrary<unknown> {
  const make = (schema: Schema): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) {
      return make(definitions[schema.$ref.slice('#/$defs/'.length) as DefinitionName]);
    }
    const variants = schema.oneOf ?? schema.anyOf;
    if (variants !== undefined) return fc.oneof(...variants.map(make));
    if (schema.const !== undefined) return mostly(fc.constant(schema.const));
    if (schema.enum !== undefined) return mostly(fc.constantFrom(...schema.enum));
    if (typeof schema.type === 'object') return fc.oneof(...schema.type.map((type) => make({ type })));
    switch (schema.type) {
      case 'string':
        return mostly(fc.string({ maxLength: 3 }));
      case 'boolean':
        return mostly(fc.boolean());
      case 'integer':
        return mostly(fc.integer());
      case 'array':
        return mostly(fc.array(make(schema.items ?? {}), { maxLength: 2 }));
      case 'object': {
        if (schema.additionalProperties !== undefined) {
          return mostly(
            fc.dictionary(fc.string({ maxLength: 3 }), make(schema.additionalProperties), { maxKeys: 2 }),
          );
        }
        const fields = Object.entries(schema.properties ?? {}).map(
          ([key, field]) => [key, make(field)] as const,
        );
        return fc.oneof(
          {
            weight: 30,
            arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] }),
          },
          { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
          { weight: 1, arbitrary: anything },
        );
      }
      default:
        return anything;
    }
  };
  return make(definitions[name]);
}

const anything = fc.jsonValue({ maxDepth: 1 });

function mostly(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary }, { weight: 1, arbitrary: anything });
}

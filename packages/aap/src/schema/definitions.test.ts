import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, expectTypeOf, test } from 'vitest';
import type { AapTypes } from '../aap-types.ts';
import { definitions, type DefinitionName, type Definitions } from './definitions.ts';
import { jsonSchema } from './json-schema.ts';

/** The type that a schema describes. */
type TypeOf<S> = S extends { readonly $ref: `#/$defs/${infer Name extends DefinitionName}` }
  ? TypeOf<Definitions[Name]>
  : S extends { readonly const: infer Value }
    ? Value
    : S extends { readonly enum: readonly (infer Word)[] }
      ? Word
      : S extends { readonly oneOf: readonly (infer Variant)[] }
        ? TypeOf<Variant>
        : S extends { readonly anyOf: readonly (infer Variant)[] }
          ? TypeOf<Variant>
          : S extends { readonly type: readonly (infer Type)[] }
            ? TypeOf<Type extends unknown ? { readonly type: Type } : never>
            : S extends { readonly type: 'string' }
              ? string
              : S extends { readonly type: 'boolean' }
                ? boolean
                : S extends { readonly type: 'null' }
                  ? null
                  : S extends { readonly type: 'array'; readonly items: infer Item }
                    ? readonly TypeOf<Item>[]
                    : S extends { readonly type: 'object' }
                      ? ObjectOf<S>
                      : unknown;

type ObjectOf<S> = S extends { readonly additionalProperties: infer Value }
  ? Readonly<Record<string, TypeOf<Value>>>
  : S extends { readonly properties: infer Properties }
    ? Flat<
        {
          readonly [Name in keyof Properties as Name extends RequiredOf<S> ? Name : never]: TypeOf<
            Properties[Name]
          >;
        } & {
          readonly [Name in keyof Properties as Name extends RequiredOf<S> ? never : Name]?: TypeOf<
            Properties[Name]
          >;
        }
      >
    : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type Flat<T> = { readonly [Name in keyof T]: T[Name] };

test('each interface matches its schema', () => {
  expectTypeOf<{ readonly [Name in DefinitionName]: TypeOf<Definitions[Name]> }>().toEqualTypeOf<AapTypes>();
});

test('another validator accepts each schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
  ajv.addVocabulary(['discriminator']).addSchema(jsonSchema('AgentInfo'), 'aap');
  for (const name of Object.keys(definitions)) {
    expect(ajv.getSchema(`aap#/$defs/${name}`), name).toBeTypeOf('function');
  }
});

import { Invalid, isJsonObject, shorten } from '@parley/wire';
import { definitions } from './definitions.ts';
import type { Schema, SchemaReference, SchemaType } from './schema.ts';

/**
 * How a value is read.
 *
 * - `strict`: as the schema says.
 * - `tolerant`: a variant of a union that the schema does not know becomes `{ [tag]: 'unknown', raw }`, a word that a list
 *   does not have stays as it is, and a field that is `null` counts as absent where it may be absent.
 */
export type ReadingMode = 'strict' | 'tolerant';

/** The value, if it is what the schema says: itself, or a copy where it had to change. Unknown fields are kept. */
export function read(schema: Schema, value: unknown, mode: ReadingMode): unknown {
  if (schema.$ref !== undefined) return read(definitionOf(schema.$ref), value, mode);
  if (schema.discriminator !== undefined) return readTagged(schema.discriminator, value, mode);
  if (schema.anyOf !== undefined) return readAlternative(schema.anyOf, value, mode);
  if (schema.const !== undefined) {
    return value === schema.const ? value : expected(JSON.stringify(schema.const));
  }
  if (schema.type === undefined) return value;
  if (typeof schema.type !== 'string') {
    return schema.type.some((type) => isOfType(type, value)) ? value : expected(listTypes(schema.type));
  }
  if (!isOfType(schema.type, value)) return expected(typeNames[schema.type]);
  if (typeof value === 'string') return readString(schema, value, mode);
  if (schema.items !== undefined && isList(value)) return readList(schema.items, value, mode);
  if (isJsonObject(value)) return readObject(schema, value, mode);
  return value;
}

/** What a reference leads to. */
function definitionOf(reference: SchemaReference): Schema {
  const schema = definitionsByName.get(reference.slice(definitionsPath.length));
  if (schema === undefined) throw new TypeError(`there is no schema ${reference}`);
  return schema;
}

const definitionsPath = '#/$defs/';
const definitionsByName: ReadonlyMap<string, Schema> = new Map(Object.entries(definitions));

const typeNames: Readonly<Record<SchemaType, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function isOfType(type: SchemaType, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
  }
}

function readTagged(
  { propertyName, mapping }: NonNullable<Schema['discriminator']>,
  value: unknown,
  mode: ReadingMode,
): unknown {
  if (!isJsonObject(value)) return expected(typeNames.object);
  const tag = value[propertyName];
  const variant = typeof tag === 'string' && Object.hasOwn(mapping, tag) ? mapping[tag] : undefined;
  if (variant !== undefined) return read(definitionOf(variant), value, mode);
  if (mode === 'tolerant' && typeof tag === 'string') return { [propertyName]: 'unknown', raw: value };
  return expected(listWords(Object.keys(mapping))).within(propertyName);
}

function readAlternative(alternatives: readonly Schema[], value: unknown, mode: ReadingMode): unknown {
  const types: SchemaType[] = [];
  for (const schema of alternatives) {
    if (typeof schema.type !== 'string') continue;
    if (isOfType(schema.type, value)) return read(schema, value, mode);
    types.push(schema.type);
  }
  return expected(listTypes(types));
}

function readString(schema: Schema, value: string, mode: ReadingMode): string | Invalid {
  if (mode === 'tolerant') return value;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return expected(listWords(schema.enum));
  return value.length < (schema.minLength ?? 0) ? expected('a string that is not empty') : value;
}

function readList(
  schema: Schema,
  value: readonly unknown[],
  mode: ReadingMode,
): readonly unknown[] | Invalid {
  let changed: unknown[] | undefined;
  for (const [at, item] of value.entries()) {
    const parsed = read(schema, item, mode);
    if (parsed === item) continue;
    if (parsed instanceof Invalid) return parsed.within(`[${at}]`);
    changed ??= value.slice();
    changed[at] = parsed;
  }
  return changed ?? value;
}

function readObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: Readonly<Record<string, unknown>>,
  mode: ReadingMode,
): unknown {
  let changed: Record<string, unknown> | undefined;
  const names = additionalProperties === undefined ? Object.keys(properties) : Object.keys(value);
  for (const name of names) {
    const schema = additionalProperties ?? properties[name];
    const field = value[name];
    const isRequired = required.includes(name);
    if (schema === undefined || (field === undefined && !isRequired)) continue;
    if (field === null && !isRequired && mode === 'tolerant') {
      changed ??= { ...value };
      delete changed[name];
      continue;
    }
    const parsed = read(schema, field, mode);
    if (parsed === field) continue;
    if (parsed instanceof Invalid) return parsed.within(shorten(name, maxNameChars));
    changed ??= { ...value };
    changed[name] = parsed;
  }
  return changed ?? value;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function expected(what: string): Invalid {
  return new Invalid('', what);
}

function listTypes(types: readonly SchemaType[]): string {
  return types.map((type) => typeNames[type]).join(' or ');
}

function listWords(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(' or ');
}

/** Characters of a key of a map in the path of a fault. */
const maxNameChars = 64;

import { Invalid, isJsonObject } from '@parley/wire';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema-keywords.ts';

/** Nesting depth of schemas. */
const maxSchemaDepth = 64;

/**
 * Describes why the parameters of a tool are not a JSON Schema; undefined if they are. The keywords of drafts 4 and
 * later are checked, others are ignored.
 */
export function findSchemaFault(schema: unknown, depth = 0): Invalid | undefined {
  if (depth > maxSchemaDepth) return new Invalid('', `at most ${maxSchemaDepth} nested schemas`);
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return new Invalid('', 'true or false or an object');
  return findFault(Object.entries(schema), (value, keyword) => findKeywordFault(keyword, value, depth + 1));
}

function findKeywordFault(keyword: string, value: unknown, depth: number): Invalid | undefined {
  if (schemaListKeywords.has(keyword) || (keyword === 'items' && Array.isArray(value))) {
    return findListFault(value, (item) => findSchemaFault(item, depth));
  }
  if (schemaKeywords.has(keyword)) return findSchemaFault(value, depth);
  if (schemaMapKeywords.has(keyword)) {
    if (!isJsonObject(value)) return new Invalid('', 'an object');
    return findFault(Object.entries(value), (schema) => findSchemaFault(schema, depth));
  }
  switch (keyword) {
    case '$anchor':
    case '$id':
    case '$ref':
    case '$schema':
    case 'format':
      return unless(typeof value === 'string', 'a string');
    case 'enum':
      return unless(Array.isArray(value), 'a list');
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      // Draft 4 has true or false here.
      return unless(typeof value === 'number' || typeof value === 'boolean', 'a number');
    case 'maximum':
    case 'minimum':
      return unless(typeof value === 'number', 'a number');
    case 'maxContains':
    case 'maxItems':
    case 'maxLength':
    case 'maxProperties':
    case 'minContains':
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return unless(Number.isInteger(value) && Number(value) >= 0, 'a whole number, 0 or more');
    case 'multipleOf':
      return unless(typeof value === 'number' && value > 0, 'a number above 0');
    case 'pattern':
      return unless(typeof value === 'string' && isPattern(value), 'a regular expression');
    case 'required':
      return Array.isArray(value)
        ? findListFault(value, (name) => unless(typeof name === 'string', 'a string'))
        : unless(typeof value === 'boolean', 'a list'); // Draft 3 has true or false here, and many still write it.
    case 'type':
      return Array.isArray(value) ? findListFault(value, findTypeFault) : findTypeFault(value);
    case 'uniqueItems':
      return unless(typeof value === 'boolean', 'true or false');
  }
  return undefined;
}

const typeNames: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

function findTypeFault(value: unknown): Invalid | undefined {
  return unless(typeNames.has(value), 'a type of JSON');
}

function findListFault(
  value: unknown,
  findItemFault: (item: unknown) => Invalid | undefined,
): Invalid | undefined {
  if (!Array.isArray(value)) return new Invalid('', 'a list');
  return findFault(
    value.map((item: unknown, at) => [`[${at}]`, item] as const),
    findItemFault,
  );
}

/** The first fault of the values, with the key of its value. */
function findFault(
  entries: readonly (readonly [key: string, value: unknown])[],
  find: (value: unknown, key: string) => Invalid | undefined,
): Invalid | undefined {
  for (const [key, value] of entries) {
    const fault = find(value, key);
    if (fault !== undefined) return fault.within(key);
  }
  return undefined;
}

function unless(isRight: boolean, expected: string): Invalid | undefined {
  return isRight ? undefined : new Invalid('', expected);
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return isLegacyPattern(text);
  }
}

/** Schemas in the wild escape more than the flag `u` allows. */
function isLegacyPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}

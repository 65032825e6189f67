import { Validator, type SchemaDraft } from '@cfworker/json-schema';
import { isJsonObject } from '@parley/wire';
import type { JsonSchema, ToolCallInput } from '../../tool.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema-keywords.ts';
import { unfoldedSize } from './unfolded-size.ts';

/** Schemas that a tool's schema may expand to for its input to be validated. */
const maxUnfoldedSize = 10_000;

/**
 * Describes what is wrong with the input of a tool, for a model; undefined if it is valid, or if the schema cannot be
 * applied, for example because it refers to another document or to itself. Patterns and formats are ignored: schemas
 * are untrusted, and a regular expression or nested references could take unlimited time.
 */
export function findInputFault(parameters: JsonSchema, input: ToolCallInput): string | undefined {
  if (unfoldedSize(parameters) > maxUnfoldedSize) return undefined;
  try {
    const result = new Validator(withoutPatterns(parameters), draftOf(parameters)).validate(input);
    // The first error is about the outermost place, the last about the innermost.
    const error = result.valid ? undefined : result.errors.at(-1);
    return error && `${error.instanceLocation}: ${error.error}`;
  } catch {
    // A fault of the schema is not held against the input.
    return undefined;
  }
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const name = typeof schema === 'object' ? schema['$schema'] : undefined;
  if (typeof name !== 'string') return '2020-12';
  if (name.includes('draft-04')) return '4';
  if (/draft-0[67]/.test(name)) return '7';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

function withoutPatterns(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const hasPatterns = Object.hasOwn(schema, 'patternProperties');
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === 'pattern' || keyword === 'format' || keyword === 'patternProperties') return [];
      // Which properties are additional ones is not known without the patterns.
      if (hasPatterns && /^(additional|unevaluated)Properties$/.test(keyword)) return [];
      return [[keyword, withoutPatternsBelow(keyword, value)]];
    }),
  );
}

function withoutPatternsBelow(keyword: string, value: unknown): unknown {
  if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, strip(schema)]));
  }
  if (schemaListKeywords.has(keyword) || schemaKeywords.has(keyword)) {
    return Array.isArray(value) ? value.map(strip) : strip(value);
  }
  return value;
}

function strip(schema: unknown): unknown {
  return isJsonObject(schema) ? withoutPatterns(schema) : schema;
}

import { definitions, type DefinitionName } from './definitions.ts';
import type { Schema } from './schema.ts';

/** A document of JSON Schema 2020-12 that describes one type of the protocol. */
export interface SchemaDocument extends Schema {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema';
  readonly $defs: Readonly<Record<DefinitionName, Schema>>;
}

/** The JSON Schema of a type of the protocol, for other validators, forms and generators. */
export function jsonSchema(name: DefinitionName): SchemaDocument {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: `#/$defs/${name}`,
    $defs: definitions,
  };
}

import { definitions, type DefinitionName } from './definitions.ts';
import type { Schema } from './schema.ts';

/** A JSON Schema 2020-12 document for one type of the protocol. */
export interface SchemaDocument extends Schema {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema';
  readonly $defs: Readonly<Record<DefinitionName, Schema>>;
}

/** Returns the JSON Schema of a type of the protocol, for validators, forms and generators. */
export function jsonSchema(name: DefinitionName): SchemaDocument {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: `#/$defs/${name}`,
    $defs: definitions,
  };
}

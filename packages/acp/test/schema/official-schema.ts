import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A JSON Schema, or a part of one. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly discriminator?: { readonly propertyName: string };
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
  readonly 'x-deserialize-default-on-error'?: boolean;
  readonly 'x-deserialize-default-on-null'?: boolean;
  readonly 'x-deserialize-skip-invalid-items'?: boolean;
}

/** A whole schema: its types by name. */
export interface OfficialSchema {
  readonly $defs: Readonly<Record<string, SchemaNode>>;
}

const require = createRequire(import.meta.url);

/** The schemas of the pinned official package. */
export function readOfficialSchema(status: 'stable' | 'unstable'): OfficialSchema {
  const file = status === 'stable' ? 'schema.json' : 'schema.unstable.json';
  const path = require.resolve(`@agentclientprotocol/sdk/schema/v1/${file}`);
  return JSON.parse(readFileSync(path, 'utf8')) as OfficialSchema;
}

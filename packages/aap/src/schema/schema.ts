/** The keywords of JSON Schema 2020-12 that the schemas of the protocol use. */
export interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  /** A reference to another schema. */
  readonly $ref?: SchemaReference;
  readonly const?: string | number;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly format?: 'date-time';
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of the values of a map. If absent, additional fields are allowed and preserved. */
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** The field that distinguishes the variants of `oneOf`. A keyword of OpenAPI. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, SchemaReference>>;
  };
}

/** The location of a definition. */
export type SchemaReference = `#/$defs/${string}`;

/** The JSON types in the protocol. */
export type SchemaType = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

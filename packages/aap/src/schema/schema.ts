/** The keywords of JSON Schema 2020-12 that the protocol's own schemas are written in. */
export interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  /** Another schema, by its name. */
  readonly $ref?: SchemaReference;
  readonly const?: string | number;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly format?: 'date-time';
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** What the values of a map are. Where it is absent, more fields are allowed and kept. */
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Which field distinguishes the variants of `oneOf`. A keyword of OpenAPI, a remark for others. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, SchemaReference>>;
  };
}

/** Where a definition stands. */
export type SchemaReference = `#/$defs/${string}`;

/** The kinds of JSON values that appear in the protocol. */
export type SchemaType = 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

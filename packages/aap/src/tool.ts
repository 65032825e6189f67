/** Metadata of a call or a result that is not part of the protocol. An extension. */
export interface Meta {
  readonly _meta?: MetaValues;
}

/** Values by name. Names that others may use too begin with a domain. */
export type MetaValues = Readonly<Record<string, unknown>>;

/** A JSON Schema, of any draft. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Declares a tool: of the application in a request, of the agent in `/meta`. */
export interface ToolSpec {
  /** Unique among the application's and the agent's tools of a session. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The schema of its input. */
  readonly parameters: JsonSchema;
}

/** Enables a tool of the agent for a session. */
export interface ServerToolRef {
  /** The name in `/meta`. */
  readonly name: string;
  /** Whether the agent may use it without asking the application. @default false */
  readonly trust?: boolean;
}

/** The input of a tool call. */
export type ToolCallInput = Readonly<Record<string, unknown>>;

/** A call of one of the application's or the agent's tools. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: ToolCallInput;
}

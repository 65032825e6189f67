/** What goes along with a call or a result and is no part of the protocol. An extension. */
export interface Meta {
  readonly _meta?: MetaValues;
}

/** By names that begin with a domain, where others may use the same. */
export type MetaValues = Readonly<Record<string, unknown>>;

/** A JSON Schema, of any draft. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** Declares a tool: of the application in a request, of the agent in `/meta`. */
export interface ToolSpec {
  /** Unique over the application's and the agent's tools of a session. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** What its input looks like. */
  readonly parameters: JsonSchema;
}

/** Enables a tool of the agent for a session. */
export interface ServerToolRef {
  /** As `/meta` says. */
  readonly name: string;
  /** Whether the agent may use it without asking the application. @default false */
  readonly trust?: boolean;
}

/** What a tool is called with. */
export type ToolCallInput = Readonly<Record<string, unknown>>;

/** A call of a tool: of the application's, or of the agent's own. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: ToolCallInput;
}

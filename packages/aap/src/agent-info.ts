import type { ServerToolRef, ToolSpec } from './tool.ts';

/** The description of an agent in `/meta`. */
export interface AgentInfo {
  /** Unique on its server. */
  readonly name: string;
  readonly title?: string;
  /** A semantic version. */
  readonly version: string;
  readonly description?: string;
  /** The tools that an application may enable. */
  readonly tools?: readonly ToolSpec[];
  /** The options that an application may set with each request. */
  readonly options?: readonly AgentOption[];
  /** Absent capabilities are not supported. */
  readonly capabilities?: AgentCapabilities;
}

/** An option that an application may set. */
export type AgentOption = TextAgentOption | SecretAgentOption | SelectAgentOption;

/** The common fields of all options. */
export interface AgentOptionBase {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly default: string;
}

/** An option with free text. */
export interface TextAgentOption extends AgentOptionBase {
  readonly type: 'text';
}

/** An option with a secret text, which is never returned in plain text. */
export interface SecretAgentOption extends AgentOptionBase {
  readonly type: 'secret';
}

/** An option with a list of values. */
export interface SelectAgentOption extends AgentOptionBase {
  readonly type: 'select';
  readonly options: readonly string[];
}

/** The agent of a session and its settings. */
export interface AgentConfig {
  readonly name: string;
  /** The tools of the agent that it may use. @default none */
  readonly tools?: readonly ServerToolRef[];
  readonly options?: OptionValues;
}

/** Option values by option name. */
export type OptionValues = Readonly<Record<string, string>>;

/** Changes to the {@link AgentConfig} of a session, from this turn on. */
export interface AgentOverride {
  /** Must be the session's own agent if present: a session cannot change its agent. */
  readonly name?: string;
  /** Replaces the enabled tools. */
  readonly tools?: readonly ServerToolRef[];
  /** Merged into the options that are already set. */
  readonly options?: OptionValues;
}

/** The type of a history: as the agent uses it, or complete. */
export type HistoryType = 'compacted' | 'full';

/** How a turn is streamed: in pieces, by message, or not at all. */
export type StreamMode = 'delta' | 'message' | 'none';

/** Marks a feature as supported. No fields are defined yet: `{}`. */
export type Supported = Readonly<Record<string, unknown>>;

/** The capabilities of an agent. */
export interface AgentCapabilities {
  readonly history?: Readonly<Partial<Record<HistoryType, Supported>>>;
  /** @default only `none` */
  readonly stream?: Readonly<Partial<Record<StreamMode, Supported>>>;
  readonly application?: {
    /** Whether the application may declare its own tools. */
    readonly tools?: Supported;
  };
  /** The accepted images: `https://` URLs, `data:` URIs. */
  readonly image?: { readonly http?: Supported; readonly data?: Supported };
}

import type { ServerToolRef, ToolSpec } from './tool.ts';

/** What `/meta` says of an agent. */
export interface AgentInfo {
  /** Unique on its server. */
  readonly name: string;
  readonly title?: string;
  /** A semantic version. */
  readonly version: string;
  readonly description?: string;
  /** The tools that an application may enable. */
  readonly tools?: readonly ToolSpec[];
  /** What an application may set with each request. */
  readonly options?: readonly AgentOption[];
  /** What is absent is not supported. */
  readonly capabilities?: AgentCapabilities;
}

/** Something an application may set. */
export type AgentOption = TextAgentOption | SecretAgentOption | SelectAgentOption;

/** What each {@link AgentOption} has. */
export interface AgentOptionBase {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly default: string;
}

/** Free text. */
export interface TextAgentOption extends AgentOptionBase {
  readonly type: 'text';
}

/** Text that is never returned in plain. */
export interface SecretAgentOption extends AgentOptionBase {
  readonly type: 'secret';
}

/** One of some values. */
export interface SelectAgentOption extends AgentOptionBase {
  readonly type: 'select';
  readonly options: readonly string[];
}

/** Which agent a session talks to, and how it is set. */
export interface AgentConfig {
  readonly name: string;
  /** The tools of the agent that may be used. @default none */
  readonly tools?: readonly ServerToolRef[];
  readonly options?: OptionValues;
}

/** Values of options, by the name of the option. */
export type OptionValues = Readonly<Record<string, string>>;

/** What a turn changes of its session's {@link AgentConfig}; holds from then on. */
export interface AgentOverride {
  /** The session's own agent, if it is given at all: a session keeps its agent. */
  readonly name?: string;
  /** Replaces the tools that were enabled. */
  readonly tools?: readonly ServerToolRef[];
  /** Added to the options that were set. */
  readonly options?: OptionValues;
}

/** The kinds of history: as the agent works with it, or everything that was said. */
export type HistoryType = 'compacted' | 'full';

/** How a turn is streamed: piece by piece, message by message, or at its end. */
export type StreamMode = 'delta' | 'message' | 'none';

/** Says by being there that something is supported. No field of it is defined yet: `{}`. */
export type Supported = Readonly<Record<string, unknown>>;

/** What an agent supports. */
export interface AgentCapabilities {
  readonly history?: Readonly<Partial<Record<HistoryType, Supported>>>;
  /** @default only `none` */
  readonly stream?: Readonly<Partial<Record<StreamMode, Supported>>>;
  readonly application?: {
    /** The application may bring tools of its own. */
    readonly tools?: Supported;
  };
  /** Which images it takes: `https://` URLs, `data:` URIs. */
  readonly image?: { readonly http?: Supported; readonly data?: Supported };
}

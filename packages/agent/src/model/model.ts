import type { PlanEntry } from '@parley/acp';
import type { ModelImage } from './image.ts';

/**
 * A language model, or a program that behaves like one: it receives a conversation and streams the parts of one
 * response.
 */
export interface Model {
  /** `provider/model`. */
  readonly id: string;
  /** The context window in tokens. */
  readonly contextSize: number;
  /** The selectable levels of thinking, lowest first, in addition to the default. @default none */
  readonly thoughtLevels?: readonly string[];
  /** Whether the model accepts images. If not, users who send images are notified. @default false */
  readonly takesImages?: boolean;
  /** A notice about the model, displayed once per session. */
  readonly notice?: ModelNotice;
  /**
   * Streams one response. Aborting `signal` ends it with the signal's reason.
   *
   * @throws {AgentError} `model-failed`: the user is shown its message. `context-overflow`: the conversation is too
   *   long; it is compacted and sent once more. Of any other error the user is shown nothing.
   */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Summarizes a conversation, for a model that cannot be prompted to. @default `respond` is used */
  summarize?(request: SummaryRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** A short title and one or two sentences. */
export interface ModelNotice {
  readonly title: string;
  readonly description: string;
}

/** The conversation so far, and the available tools. */
export interface ModelRequest {
  /** Instructions that precede the conversation: the role of the model and its working directory. */
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Maximum number of tokens of the response; it then stops with `length`. @default the model's limit */
  readonly maxTokens?: number;
  /** One of the model's `thoughtLevels`. @default the model's default */
  readonly thoughtLevel?: string;
}

/** A conversation to summarize. */
export interface SummaryRequest {
  readonly messages: readonly ModelMessage[];
  /** What the summary should focus on. */
  readonly focus?: string;
}

/** A tool in a model request. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One message of a conversation. */
export type ModelMessage =
  | {
      readonly role: 'user';
      /** The text of the user. */
      readonly text: string;
      /** Attached content, which the model reads as data, not as instructions. */
      readonly context?: readonly ModelContext[];
      readonly images?: readonly ModelImage[];
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** Earlier thoughts of the model, in the form that its provider requires during the turn. */
      readonly reasoning?: readonly ModelReasoning[];
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** Content that a prompt refers to. */
export interface ModelContext {
  /** The source of the content: a path, an address. */
  readonly source: string;
  readonly text: string;
}

/** A call that the model requests. Its id is the model's own; the session uses a different one. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Data that the provider requires with the call. */
  readonly providerData?: ProviderData;
}

/** A thought that is returned to the provider. */
export interface ModelReasoning {
  readonly text: string;
  readonly providerData?: ProviderData;
}

/** Provider-specific JSON by provider name, such as signatures, stored and returned unchanged. */
export type ProviderData = Readonly<Record<string, unknown>>;

/** The result of a call. */
export interface ModelToolResult {
  readonly id: string;
  readonly name: string;
  readonly isError: boolean;
  readonly text: string;
  readonly images?: readonly ModelImage[];
}

/** One part of a response, in order. A response without `stop` stops with `end`. */
export type ModelPart =
  | RepeatablePart
  /**
   * The same part several times, as one step, so that a response of a million chunks needs no more memory than one.
   */
  | { readonly type: 'repeat'; readonly times: number; readonly part: RepeatablePart }
  /** `costUsd`: the cost of this response in US dollars, if known; reported once. */
  | { readonly type: 'usage'; readonly usedTokens: number; readonly costUsd?: number }
  /** A notice to the user that is not part of the response. */
  | ({ readonly type: 'notice' } & ModelNotice)
  /** Data that is returned to the provider with this response, and not displayed. */
  | { readonly type: 'reasoning'; readonly reasoning: readonly ModelReasoning[] }
  | { readonly type: 'stop'; readonly reason: ModelStopReason };

/** A displayed part of a response. */
export type RepeatablePart =
  /** `startsMessage`: it does not continue the previous text. */
  | { readonly type: 'text'; readonly text: string; readonly startsMessage?: boolean }
  | { readonly type: 'thought'; readonly text: string; readonly startsMessage?: boolean }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({ readonly type: 'tool-call' } & ModelToolCall);

/** Why a response stopped; after `tool-calls` the model expects the results. */
export type ModelStopReason = 'end' | 'tool-calls' | 'length' | 'refusal';

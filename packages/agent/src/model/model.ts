import type { PlanEntry } from '@parley/acp';
import type { ModelImage } from './image.ts';

/** A language model, or something that behaves like one: a conversation goes in, the parts of one response come out. */
export interface Model {
  /** `provider/model`. */
  readonly id: string;
  /** How many tokens a conversation may have. */
  readonly contextSize: number;
  /** The levels of thinking it can be set to, least first, beside what it does by itself. @default nothing to choose */
  readonly thoughtLevels?: readonly string[];
  /** Whether it sees images. A user that sends some to one that does not is notified. @default false */
  readonly takesImages?: boolean;
  /** What a user should know about it, shown once a session. */
  readonly notice?: ModelNotice;
  /** Aborting `signal` ends the response with its reason. */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Sums up a conversation, for a model that cannot be prompted to. @default it is asked by `respond` */
  summarize?(request: SummaryRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** A short title and one or two sentences. */
export interface ModelNotice {
  readonly title: string;
  readonly description: string;
}

/** The conversation so far, and what the model may call. */
export interface ModelRequest {
  /** Instructions to the model before the conversation: who it is, where it works. */
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Tokens that the response may have; with more it stops with `length`. @default what the model has */
  readonly maxTokens?: number;
  /** One of the model's `thoughtLevels`. @default what the model does by itself */
  readonly thoughtLevel?: string;
}

/** A conversation that is to be summed up. */
export interface SummaryRequest {
  readonly messages: readonly ModelMessage[];
  /** What the user wants to be kept above all. */
  readonly focus?: string;
}

/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One entry of a conversation. */
export type ModelMessage =
  | {
      readonly role: 'user';
      /** What the user wrote. */
      readonly text: string;
      /** What came with it: content to be read, nothing to be followed. */
      readonly context?: readonly ModelContext[];
      readonly images?: readonly ModelImage[];
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** What the model thought before, as its provider wants it back while the turn goes on. */
      readonly reasoning?: readonly ModelReasoning[];
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** Something a prompt refers to, beside the words of its user. */
export interface ModelContext {
  /** Where it is from: a path, an address. */
  readonly source: string;
  readonly text: string;
}

/** A call the model asks for. Its id is the model's own; the session gives the call another one. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What the provider wants back with the call. */
  readonly providerData?: ProviderData;
}

/** A thought that goes back to the provider. */
export interface ModelReasoning {
  readonly text: string;
  readonly providerData?: ProviderData;
}

/** JSON of a provider, by its name: signatures and the like, kept and given back as it is. */
export type ProviderData = Readonly<Record<string, unknown>>;

/** What came of a call. */
export interface ModelToolResult {
  readonly id: string;
  readonly name: string;
  readonly isError: boolean;
  readonly text: string;
  readonly images?: readonly ModelImage[];
}

/** One part of a response, in the order the model makes them. A response without `stop` stops with `end`. */
export type ModelPart =
  | RepeatablePart
  /** The same part again and again, as one step; a response of a million chunks needs no more memory than one. */
  | { readonly type: 'repeat'; readonly times: number; readonly part: RepeatablePart }
  /** `costUsd`: what this response cost in US dollars, where that is known; reported once. */
  | { readonly type: 'usage'; readonly usedTokens: number; readonly costUsd?: number }
  /** Something the user should know at once, and no part of the answer. */
  | ({ readonly type: 'notice' } & ModelNotice)
  /** Nothing to show: what goes back to the provider with this response. */
  | { readonly type: 'reasoning'; readonly reasoning: readonly ModelReasoning[] }
  | { readonly type: 'stop'; readonly reason: ModelStopReason };

/** A part that the user sees something of. */
export type RepeatablePart =
  /** `startsMessage`: it does not continue the text before it. */
  | { readonly type: 'text'; readonly text: string; readonly startsMessage?: boolean }
  | { readonly type: 'thought'; readonly text: string; readonly startsMessage?: boolean }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({ readonly type: 'tool-call' } & ModelToolCall);

/** Why a model stopped; after `tool-calls` it wants the results. */
export type ModelStopReason = 'end' | 'tool-calls' | 'length' | 'refusal';

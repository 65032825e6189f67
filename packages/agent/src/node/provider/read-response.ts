import { valueAt } from '@parley/wire';
import type { ModelPart, ModelReasoning, ModelStopReason, ModelToolCall } from '../../model/model.ts';
import type { AttemptPart } from '../../model/with-retries.ts';
import { costOf } from './cost.ts';
import type { LanguageModel } from './language-model.ts';
import type { ModelPrice } from './model-price.ts';
import { cutFailure, type FailureSource, toFailure } from './to-failure.ts';

type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
type Finish = Extract<StreamPart, { readonly type: 'finish' }>;

/** How a response is read. */
export interface ReadOptions {
  /** Called whenever the provider sends anything. */
  readonly onPart: () => void;
  /** Characters of text, thoughts and arguments that one response may have; each part counts as one at least. */
  readonly maxChars: number;
  readonly price?: ModelPrice;
}

/** The parts of one response. Tool calls come at its end: those of a response that was cut are not to be run. */
export async function* readResponse(
  stream: Stream,
  source: FailureSource,
  { onPart, maxChars, price }: ReadOptions,
): AsyncGenerator<AttemptPart, void, undefined> {
  let chars = 0;
  let isRefused = false;
  const calls: ModelToolCall[] = [];
  const reasoning = new Map<string, ModelReasoning>();
  for await (const part of stream) {
    onPart();
    chars += part.type === 'raw' ? 0 : Math.max(1, 'delta' in part ? part.delta.length : 0);
    if (chars > maxChars) {
      const message = `${source.name}: the response has more than ${String(maxChars)} characters`;
      yield { type: 'failure', failure: { message, isTransient: false } };
      return;
    }
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text', text: part.delta };
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        reasoning.set(part.id, continued(reasoning.get(part.id), part));
        if (part.type === 'reasoning-delta' && part.delta !== '') yield { type: 'thought', text: part.delta };
        break;
      case 'tool-call':
        calls.push({
          id: part.toolCallId,
          name: part.toolName,
          input: parseInput(part.input),
          ...(part.providerMetadata !== undefined && { providerData: part.providerMetadata }),
        });
        break;
      case 'raw': {
        const refusal = refusalIn(part.rawValue);
        if (refusal === undefined) break;
        isRefused = true;
        yield { type: 'text', text: refusal };
        break;
      }
      case 'error':
        yield { type: 'failure', failure: toFailure(part.error, source) };
        return;
      case 'finish':
        yield* finish(part, { calls, reasoning: [...reasoning.values()], isRefused, price }, source);
        return;
      default:
        // Pieces of what comes whole later, and what we did not ask for.
        break;
    }
  }
  yield { type: 'failure', failure: cutFailure(source) };
}

/** The parts received so far. */
interface Received {
  readonly calls: readonly ModelToolCall[];
  readonly reasoning: readonly ModelReasoning[];
  readonly isRefused: boolean;
  readonly price: ModelPrice | undefined;
}

function* finish(
  { usage, finishReason }: Finish,
  { calls, reasoning, isRefused, price }: Received,
  source: FailureSource,
): Generator<AttemptPart, void, undefined> {
  const stop = isRefused ? 'refusal' : toStop(finishReason);
  if (stop === undefined) {
    const { raw } = finishReason;
    const message = `${source.name}: it stopped with ${raw ?? ''}`;
    yield {
      type: 'failure',
      failure: raw === undefined ? cutFailure(source) : { message, isTransient: true },
    };
    return;
  }
  const costUsd = costOf(usage, price);
  const usedTokens = (usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? 0);
  if (usedTokens > 0 || costUsd !== undefined) {
    yield { type: 'usage', usedTokens, ...(costUsd !== undefined && { costUsd }) };
  }
  if (reasoning.length > 0) yield { type: 'reasoning', reasoning };
  for (const call of calls) yield toPart(call);
  yield { type: 'stop', reason: stop };
}

/** Undefined when the response is not whole, or broken. */
function toStop({ unified, raw }: Finish['finishReason']): ModelStopReason | undefined {
  switch (unified) {
    case 'stop':
      return 'end';
    case 'tool-calls':
      return 'tool-calls';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refusal';
    case 'other':
      return raw === undefined ? undefined : 'end';
    case 'error':
      return undefined;
  }
}

function toPart(call: ModelToolCall): ModelPart {
  return { type: 'tool-call', ...call };
}

function continued(
  before: ModelReasoning | undefined,
  part: Extract<StreamPart, { readonly type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>,
): ModelReasoning {
  const text = (before?.text ?? '') + (part.type === 'reasoning-delta' ? part.delta : '');
  const providerData = part.providerMetadata ?? before?.providerData;
  return providerData === undefined ? { text } : { text, providerData };
}

/** Parses the input of a tool call; invalid JSON stays text, and the tool reports the error. */
function parseInput(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** The refusal of an OpenAI model in an unmodified piece of its stream, which the AI SDK omits. */
function refusalIn(chunk: unknown): string | undefined {
  const choices = valueAt(chunk, 'choices');
  const refusal = Array.isArray(choices) ? valueAt(choices[0], 'delta', 'refusal') : undefined;
  return typeof refusal === 'string' && refusal !== '' ? refusal : undefined;
}

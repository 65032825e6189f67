import type { LanguageModel } from './language-model.ts';
import type { ModelPrice } from './model-price.ts';

type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
type Usage = Extract<StreamPart, { readonly type: 'finish' }>['usage'];

/**
 * The cost of a response in US dollars: as the provider reports it, else computed from its price. Undefined if
 * unknown.
 */
export function costOf(usage: Usage, price: ModelPrice | undefined): number | undefined {
  const reported = usage.raw?.['cost'];
  if (typeof reported === 'number' && Number.isFinite(reported) && reported >= 0) return reported;
  const { inputTokens, outputTokens } = usage;
  if (price === undefined || inputTokens.total === undefined || outputTokens.total === undefined) {
    return undefined;
  }
  const { input, output, cachedInput = input, cacheWrite = input } = price;
  const { total, cacheRead = 0, cacheWrite: written = 0 } = inputTokens;
  const fresh = Math.max(0, total - cacheRead - written);
  const perMillion =
    fresh * input + cacheRead * cachedInput + written * cacheWrite + outputTokens.total * output;
  return perMillion / 1_000_000;
}

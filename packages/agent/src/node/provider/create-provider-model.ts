import type { Clock } from '../../environment.ts';
import type { Model } from '../../model/model.ts';
import { withRetries } from '../../model/with-retries.ts';
import type { AttemptPart } from '../../model/with-retries.ts';
import { contextSizeOf } from './context-size.ts';
import { loadLanguageModel } from './language-model.ts';
import type { CallOptions, LanguageModel } from './language-model.ts';
import type { ModelPrice } from './model-price.ts';
import { toApi } from './provider-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { readResponse } from './read-response.ts';
import { takesImages } from './takes-images.ts';
import { thinkingOf } from './thinking.ts';
import { toCallOptions } from './to-call-options.ts';
import { toFailure } from './to-failure.ts';

/** Which model, and how it is reached. */
export interface ProviderModelOptions {
  readonly provider: string;
  readonly model: string;
  readonly settings: ProviderSettings;
  readonly clock: Clock;
  /** Silence after which a response counts as lost. @default 300_000 */
  readonly idleMs?: number;
  /** Characters of text, thoughts and arguments that one response may have. @default 16_000_000 */
  readonly maxChars?: number;
  /** What its tokens cost, for a provider that does not say. @default unknown */
  readonly price?: ModelPrice;
}

/** A model of a provider on the network; what speaks to it is loaded when it is asked for the first time. */
export function createProviderModel(options: ProviderModelOptions): Model {
  const { provider, model, settings, clock } = options;
  const { api = toApi(provider), baseUrl } = settings;
  const thinking = thinkingOf({ api, model, ...(baseUrl !== undefined && { baseUrl }) });
  const target = { api, takesImages: settings.takesImages ?? takesImages(model) };
  let loading: Promise<LanguageModel> | undefined;
  const load = (): Promise<LanguageModel> => (loading ??= loadLanguageModel(provider, model, settings));
  return {
    id: `${provider}/${model}`,
    contextSize: contextSizeOf(model),
    thoughtLevels: thinking?.levels ?? [],
    takesImages: target.takesImages,
    respond: (request, signal) => {
      const callOptions = {
        // The AI SDK leaves out what such a model says when it refuses.
        includeRawChunks: api === 'openai',
        ...toCallOptions(request, target),
        providerOptions: thinking?.toOptions(request) ?? {},
      };
      return withRetries(() => attempt(callOptions, signal, load, options), signal, {
        clock,
        random: Math.random,
      });
    },
  };
}

/** One request; a failure is its last part, unless it was aborted. */
async function* attempt(
  callOptions: CallOptions,
  signal: AbortSignal,
  load: () => Promise<LanguageModel>,
  { provider, model, settings, idleMs = 300_000, maxChars = 16_000_000, price }: ProviderModelOptions,
): AsyncGenerator<AttemptPart, void, undefined> {
  const source = { name: `${provider}/${model}`, settings };
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const languageModel = await load();
    timer = setTimeout(() => over.abort(), idleMs);
    const { stream } = await languageModel.doStream({
      ...callOptions,
      abortSignal: AbortSignal.any([signal, over.signal]),
    });
    yield* readResponse(stream, source, {
      onPart: () => timer?.refresh(),
      maxChars,
      ...(price !== undefined && { price }),
    });
  } catch (error) {
    signal.throwIfAborted();
    const failure = over.signal.aborted
      ? { message: `${source.name}: silent for ${String(idleMs / 1000)} s`, isTransient: true }
      : toFailure(error, source);
    yield { type: 'failure', failure };
  } finally {
    clearTimeout(timer);
    // Closes the connection when the consumer stops reading.
    over.abort();
  }
}

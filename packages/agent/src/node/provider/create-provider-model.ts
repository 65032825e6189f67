import type { Clock } from '../../environment.ts';
import type { Model } from '../../model/model.ts';
import { type AttemptPart, withRetries } from '../../model/with-retries.ts';
import { type CallOptions, type LanguageModel, loadLanguageModel } from './language-model.ts';
import type { ModelPrice } from './model-price.ts';
import { type ProviderSettings, toApi } from './provider-settings.ts';
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
  /** Time without data after which a response counts as failed. @default 300_000 */
  readonly idleMs?: number;
  /** Characters of text, thoughts and arguments that one response may have. @default 16_000_000 */
  readonly maxChars?: number;
  /** How often a request is tried. @default 5 */
  readonly attempts?: number;
  /** Its prices, for a provider that does not report costs. @default unknown */
  readonly price?: ModelPrice;
}

/** A model of a provider on the network. The provider's library is loaded with the first request. */
export function createProviderModel(options: ProviderModelOptions): Model {
  const { provider, model, settings, clock, attempts } = options;
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
        ...(attempts !== undefined && { attempts }),
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
      ? { message: `${source.name}: no output for ${String(idleMs / 1000)} s`, isTransient: true }
      : toFailure(error, source);
    yield { type: 'failure', failure };
  } finally {
    clearTimeout(timer);
    // Closes the connection when the consumer stops reading.
    over.abort();
  }
}

/** The context size of a model, by its name, because providers do not report it. Unknown models get a cautious size. */
function contextSizeOf(model: string): number {
  return sizes.find(([name]) => name.test(model))?.[1] ?? 128_000;
}

const sizes: readonly (readonly [RegExp, number])[] = [
  [/gemini/iu, 1_048_576],
  [/gpt-4\.1/iu, 1_047_576],
  [/gpt-5/iu, 400_000],
  [/claude|\bo[134]\b/iu, 200_000],
];

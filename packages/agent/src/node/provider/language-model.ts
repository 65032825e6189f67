import type { AnthropicProvider } from '@ai-sdk/anthropic';
import { boundedFetch } from './bounded-fetch.ts';
import { toApi } from './provider-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** A model as the AI SDK has it: the interface all its providers share. */
export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;

/** A request, as the AI SDK has it. */
export type CallOptions = Parameters<LanguageModel['doStream']>[0];

/** The longest event of a stream, and the longest body of a refusal. */
const maxEventBytes = 8 * 1024 * 1024;

/** Loads what speaks to the provider, and nothing else. */
export async function loadLanguageModel(
  provider: string,
  model: string,
  settings: ProviderSettings,
): Promise<LanguageModel> {
  const { apiKey, baseUrl, api = toApi(provider) } = settings;
  const fetch = boundedFetch(maxEventBytes);
  switch (api) {
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const baseURL = baseUrl ?? 'https://api.openai.com/v1';
      return createOpenAICompatible({
        name: provider,
        baseURL,
        fetch,
        includeUsage: true,
        ...(limitsCompletion(model) && { transformRequestBody: toCompletionLimit }),
        ...(apiKey !== undefined && { apiKey }),
      }).chatModel(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const baseURL = withVersion(baseUrl ?? 'https://api.anthropic.com', 'v1');
      return createAnthropic({ apiKey: apiKey ?? '', baseURL, fetch }).languageModel(model);
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      const baseURL = withVersion(baseUrl ?? 'https://generativelanguage.googleapis.com', 'v1beta');
      return createGoogleGenerativeAI({ apiKey: apiKey ?? '', baseURL, fetch }).languageModel(model);
    }
  }
}

/** Whether a model of OpenAI counts the tokens of its thoughts too: then the limit of a response has another name. */
function limitsCompletion(model: string): boolean {
  return /(?:^|\/)(?:o\d|gpt-5)/u.test(model);
}

/** The newer models of OpenAI refuse the name that all others know. */
function toCompletionLimit({ max_tokens: maxTokens, ...body }: Body): Body {
  return maxTokens === undefined ? body : { ...body, max_completion_tokens: maxTokens };
}

type Body = Readonly<Record<string, unknown>>;

/** The makers' own libraries add the version to the base URL, so people leave it out. */
function withVersion(baseUrl: string, version: string): string {
  const base = baseUrl.replace(/\/+$/u, '');
  return /\/v\d+(?:beta|alpha)?\d*$/u.test(base) ? base : `${base}/${version}`;
}

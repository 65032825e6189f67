import type { AnthropicProvider } from '@ai-sdk/anthropic';
import { boundedFetch } from './bounded-fetch.ts';
import { defaultBaseUrls, toApi } from './provider-settings.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** A model as the AI SDK has it: the interface all its providers share. */
export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;

/** A request, as the AI SDK has it. */
export type CallOptions = Parameters<LanguageModel['doStream']>[0];

/** Size of one event of a stream, and of the body of an error response. */
const maxEventBytes = 8 * 1024 * 1024;

/** Loads only the library of this provider. */
export async function loadLanguageModel(
  provider: string,
  model: string,
  settings: ProviderSettings,
): Promise<LanguageModel> {
  const { apiKey, headers, api = toApi(provider) } = settings;
  const baseUrl = settings.baseUrl ?? defaultBaseUrls[api];
  const sent = headers !== undefined && { headers };
  const fetch = boundedFetch(maxEventBytes);
  switch (api) {
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: provider,
        baseURL: baseUrl,
        fetch,
        includeUsage: true,
        ...sent,
        ...(limitsCompletion(model) && { transformRequestBody: toCompletionLimit }),
        ...(apiKey !== undefined && { apiKey }),
      }).chatModel(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const baseURL = withVersion(baseUrl, 'v1');
      return createAnthropic({ apiKey: apiKey ?? '', baseURL, fetch, ...sent }).languageModel(model);
    }
    case 'gemini': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      const baseURL = withVersion(baseUrl, 'v1beta');
      return createGoogleGenerativeAI({ apiKey: apiKey ?? '', baseURL, fetch, ...sent }).languageModel(model);
    }
  }
}

/** Whether an OpenAI model counts its reasoning tokens in the limit of a response, which then has another name. */
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

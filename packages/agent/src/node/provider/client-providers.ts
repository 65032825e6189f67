import { invalidParams } from '@parley/acp';
import type { ProviderInfo, SetProviderRequest } from '@parley/acp/unstable';
import type { Providers } from '../../model/providers.ts';
import {
  defaultBaseUrls,
  knownProviders,
  ProviderVariables,
  toApi,
  type FoundProvider,
  type ProviderApi,
  type ProviderSettings,
  type Variables,
} from './provider-settings.ts';

/** The names of the APIs in ACP; names that are not part of it start with an underscore. */
const protocols: Readonly<Record<ProviderApi, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: '_gemini',
};

const apis = ['openai', 'anthropic', 'gemini'] as const;

/**
 * The providers that the client of this connection configured. They override variables and are not stored. A key from
 * variables is not sent to a URL from the client: only the client's headers are.
 */
export class ClientProviders implements Providers {
  readonly #variables: () => Promise<Variables>;
  readonly #chosen = new Map<string, ProviderSettings | 'disabled'>();

  /** @param variables The variables of the process. */
  constructor(variables: () => Promise<Variables>) {
    this.#variables = variables;
  }

  async list(): Promise<readonly ProviderInfo[]> {
    const variables = new ProviderVariables(await this.#variables());
    return idsIn(variables).map((providerId) => {
      const found = this.find(providerId, variables);
      return {
        providerId,
        supported: supportedBy(providerId),
        required: false,
        ...(found !== undefined && { current: toCurrent(providerId, found) }),
      };
    });
  }

  async set({ providerId, apiType, baseUrl, headers = {} }: SetProviderRequest): Promise<void> {
    const known = idsIn(new ProviderVariables(await this.#variables()));
    if (!known.includes(providerId)) throw invalidParams('providerId', `one of ${known.join(', ')}`);
    const api = apis.find((name) => protocols[name] === apiType);
    if (api === undefined) throw invalidParams('apiType', `one of ${supportedBy(providerId).join(', ')}`);
    if (!isBaseUrl(baseUrl)) {
      throw invalidParams('baseUrl', 'an http or https URL without a user name and password');
    }
    if (!areHeaders(headers)) throw invalidParams('headers', 'names and values of HTTP headers');
    this.#chosen.set(providerId, { api, baseUrl, headers });
  }

  async disable(provider: string): Promise<void> {
    const known = idsIn(new ProviderVariables(await this.#variables()));
    if (known.includes(provider)) this.#chosen.set(provider, 'disabled');
  }

  /** The settings of a provider; undefined if it is disabled, or neither the client nor variables configure it. */
  find(provider: string, variables: ProviderVariables): FoundProvider | undefined {
    const chosen = this.#chosen.get(provider);
    if (chosen === 'disabled') return undefined;
    if (chosen === undefined) return variables.find(provider);
    const model = variables.modelOf(provider);
    return { ...chosen, ...(model !== undefined && { model }) };
  }

  /** Whether the client has configured a provider. */
  decides(provider: string): boolean {
    return this.#chosen.has(provider);
  }
}

function idsIn({ chosen }: ProviderVariables): readonly string[] {
  return [...new Set([...(chosen === undefined ? [] : [chosen]), ...knownProviders])];
}

/** Its own API first. */
function supportedBy(provider: string): readonly string[] {
  const own = toApi(provider);
  return [own, ...apis.filter((api) => api !== own)].map((api) => protocols[api]);
}

/** The configuration of a provider, without secrets. */
function toCurrent(provider: string, settings: ProviderSettings): NonNullable<ProviderInfo['current']> {
  const { api = toApi(provider), baseUrl = defaultBaseUrls[api] } = settings;
  return { apiType: protocols[api], baseUrl: baseUrl.replace(/\/\/[^/]*@/u, '//') };
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return username === '' && password === '' && (protocol === 'http:' || protocol === 'https:');
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return [...new Headers(headers).keys()].length === Object.keys(headers).length;
  } catch {
    // The message would quote a value.
    return false;
  }
}

/** How to reach a provider. */
export interface ProviderSettings {
  readonly apiKey?: string;
  /** @default the provider's default */
  readonly baseUrl?: string;
  /** The API of the provider. @default derived from its id, else `openai` */
  readonly api?: ProviderApi;
  /** Sent with each request, by name. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether its models accept images. @default derived from the name of the model */
  readonly takesImages?: boolean;
}

/** The supported APIs; `openai` is chat completions, which many other providers support too. */
export type ProviderApi = 'openai' | 'anthropic' | 'gemini';

/** The settings of a provider from environment variables. */
export interface FoundProvider extends ProviderSettings {
  readonly model?: string;
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that configure models: those of the process, then those of a project. */
export class ProviderVariables {
  readonly #ambient: Variables;
  readonly #project: Variables;

  constructor(ambient: Variables, project: Variables = {}) {
    this.#ambient = ambient;
    this.#project = project;
  }

  /** The id in `LLM_PROVIDER`, in lower case. */
  get chosen(): string | undefined {
    return this.#read('LLM_PROVIDER')?.toLowerCase();
  }

  /** Returns the settings of a provider; undefined if neither a key nor a base URL is set. */
  find(provider: string): FoundProvider | undefined {
    const prefix = toPrefix(provider);
    const apiKey = this.#read(`${prefix}_API_KEY`);
    const baseUrlName = `${prefix}_BASE_URL`;
    // A project must not lead a key that is not its own to another place.
    const baseUrl = isSet(this.#ambient[`${prefix}_API_KEY`])
      ? valueOf(this.#ambient[baseUrlName])
      : this.#read(baseUrlName);
    const model = this.#read(`${prefix}_MODEL`) ?? defaultModel(provider, baseUrl);
    const images = this.#read(`${prefix}_IMAGES`);
    const api = toApi(provider);
    if (apiKey === undefined && baseUrl === undefined) return undefined;
    if (apiKey === undefined && api !== 'openai') return undefined;
    // Only the three have a place of their own.
    if (baseUrl === undefined && !knownProviders.some((name) => name === provider)) return undefined;
    return {
      api,
      ...(apiKey !== undefined && { apiKey }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(model !== undefined && { model }),
      ...(images !== undefined && { takesImages: /^(?:1|true|yes|on)$/iu.test(images) }),
    };
  }

  /** Returns the model that sessions with a provider begin with, at any address. */
  modelOf(provider: string): string | undefined {
    return this.#read(`${toPrefix(provider)}_MODEL`) ?? defaultModel(provider, undefined);
  }

  #read(name: string): string | undefined {
    return valueOf(this.#ambient[name]) ?? valueOf(this.#project[name]);
  }
}

/** The providers with their own variables. The first configured one is the default. */
export const knownProviders = ['openai', 'anthropic', 'gemini'] as const;

/** Where the makers of the APIs serve them. */
export const defaultBaseUrls: Readonly<Record<ProviderApi, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** What a provider speaks, by its id. */
export function toApi(provider: string): ProviderApi {
  return provider === 'anthropic' || provider === 'gemini' ? provider : 'openai';
}

/** Returns the prefix of a provider's variables. */
export function toPrefix(provider: string): string {
  return provider.toUpperCase().replace(/[^A-Z0-9]/gu, '_');
}

/** Checks whether a variable configures models. */
export function isProviderVariable(name: string): boolean {
  return name === 'LLM_PROVIDER' || /^[A-Z0-9_]+_(?:API_KEY|BASE_URL|MODEL|IMAGES)$/u.test(name);
}

/** The newest at the time of writing; each provider's own endpoint has it. */
const defaultModels: Readonly<Record<(typeof knownProviders)[number], string>> = {
  openai: 'gpt-5',
  anthropic: 'claude-sonnet-5',
  gemini: 'gemini-3.5-flash',
};

/** At another address than the provider's own, the endpoints are unknown. */
function defaultModel(provider: string, baseUrl: string | undefined): string | undefined {
  const known = knownProviders.find((name) => name === provider);
  return known === undefined || baseUrl !== undefined ? undefined : defaultModels[known];
}

function isSet(value: string | undefined): boolean {
  return valueOf(value) !== undefined;
}

function valueOf(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

import type { Clock } from '../../environment.ts';
import type { Model, ModelNotice } from '../../model/model.ts';
import { unknownModel, unknownProvider } from '../../model/models.ts';
import type { ConversationModels } from '../../model/models.ts';
import { createOfflineModel } from '../../model/offline/offline-model.ts';
import type { ClientProviders } from './client-providers.ts';
import { createProviderModel } from './create-provider-model.ts';
import type { ModelPrices } from './model-price.ts';
import { knownProviders, ProviderVariables, toPrefix } from './provider-settings.ts';
import type { FoundProvider, ProviderSettings, Variables } from './provider-settings.ts';

/** Resolves a provider; if it returns undefined or throws, the provider cannot be used. */
export type ResolveProvider = (
  provider: string,
) => ProviderSettings | undefined | Promise<ProviderSettings | undefined>;

/** The variables about models that a session's folder sets, if the user trusts them. */
export interface ProjectVariables {
  readonly variables: Variables;
  /** Says which variables are ignored, and why. */
  readonly notice?: ModelNotice;
}

/** Reads the variables about models of a folder. */
export type ReadProjectVariables = (cwd: string) => Promise<ProjectVariables>;

/** Options of {@link openEnvironmentModels}. */
export interface EnvironmentModelsOptions {
  /** The variables of the process. */
  readonly variables: Variables;
  /** Reads the variables of a session's folder. @default none */
  readonly projectVariables?: ReadProjectVariables;
  readonly clock: Clock;
  /** The model that sessions start with, as `provider/model`. @default from the variables */
  readonly initialModel?: string;
  /** Asked in place of the variables when a model of a provider is chosen. */
  readonly resolveProvider?: ResolveProvider;
  /** Prices by `provider/model`. @default unknown, unless a provider reports the cost */
  readonly prices?: ModelPrices;
  /** The providers that the client configured; they override variables. @default none */
  readonly providers?: ClientProviders;
  /** Receives a line for the log. */
  log(line: string): void;
}

/**
 * Finds the models that are configured by variables of the process and of a session's folder, and the offline model.
 */
export async function openEnvironmentModels(
  cwd: string,
  options: EnvironmentModelsOptions,
): Promise<ConversationModels> {
  const { clock, initialModel, prices = {} } = options;
  const project = (await options.projectVariables?.(cwd)) ?? { variables: {} };
  const variables = new ProviderVariables(options.variables, project.variables);
  const offline = createOfflineModel(clock);
  const create = async (provider: string, model: string): Promise<Model> => {
    if (`${provider}/${model}` === offline.id) return offline;
    const settings = await resolve(provider, variables, options);
    if (settings === undefined) {
      throw offline.id.startsWith(`${provider}/`) ? unknownModel(provider, model) : unknownProvider(provider);
    }
    const price = prices[`${provider}/${model}`];
    return createProviderModel({
      provider,
      model,
      settings,
      clock,
      ...(price !== undefined && { price }),
    });
  };
  const { chosen } = variables;
  const ids = [...new Set([...(chosen === undefined ? [] : [chosen]), ...knownProviders])];
  const found = ids.flatMap((provider) => withModel(provider, find(provider, variables, options)));
  const initial =
    initialModel === undefined
      ? await createInitial(found, chosen, offline, create)
      : await create(...splitModelId(initialModel));
  return {
    initial,
    choices: [...found.map(toId), offline.id],
    create,
    ...(project.notice !== undefined && { notices: [project.notice] }),
  };
}

/** Splits `provider/model` at the first slash; ids of models have slashes of their own. */
function splitModelId(id: string): readonly [provider: string, model: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash).trim().toLowerCase(), id.slice(slash + 1).trim()];
}

interface Choice {
  readonly provider: string;
  readonly model: string;
}

function withModel(provider: string, found: FoundProvider | undefined): Choice[] {
  return found?.model === undefined ? [] : [{ provider, model: found.model }];
}

function toId({ provider, model }: Choice): string {
  return `${provider}/${model}`;
}

async function createInitial(
  found: readonly Choice[],
  chosen: string | undefined,
  offline: Model,
  create: ConversationModels['create'],
): Promise<Model> {
  const [first] = found;
  if (chosen !== undefined && first?.provider !== chosen) return withReason(offline, chosen);
  return first === undefined ? offline : await create(first.provider, first.model);
}

/** The provider that was asked for cannot be used; another one in its place would be a surprise. */
function withReason(offline: Model, chosen: string): Model {
  const { title, description } = offline.notice ?? { title: 'The offline model answers', description: '' };
  const prefix = toPrefix(chosen);
  const missing = `LLM_PROVIDER is "${chosen}", but ${prefix}_API_KEY, ${prefix}_BASE_URL and ${prefix}_MODEL do not say enough.`;
  return { ...offline, notice: { title, description: `${missing} ${description}` } };
}

function find(
  provider: string,
  variables: ProviderVariables,
  { providers }: EnvironmentModelsOptions,
): FoundProvider | undefined {
  return providers === undefined ? variables.find(provider) : providers.find(provider, variables);
}

async function resolve(
  provider: string,
  variables: ProviderVariables,
  options: EnvironmentModelsOptions,
): Promise<ProviderSettings | undefined> {
  try {
    return options.resolveProvider === undefined || options.providers?.decides(provider) === true
      ? find(provider, variables, options)
      : await options.resolveProvider(provider);
  } catch (error) {
    // Source document 001, C.8: never the message, which may hold a key.
    options.log(
      `provider ${JSON.stringify(provider)} cannot be resolved: ${error instanceof Error ? error.name : typeof error}`,
    );
    return undefined;
  }
}

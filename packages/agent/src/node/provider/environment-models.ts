import type { Clock } from '../../environment.ts';
import type { Model, ModelNotice } from '../../model/model.ts';
import { unknownProvider } from '../../model/models.ts';
import type { SessionModels } from '../../model/models.ts';
import { createOfflineModel } from '../../model/offline/offline-model.ts';
import { createProviderModel } from './create-provider-model.ts';
import type { ModelPrices } from './model-price.ts';
import { knownProviders, ProviderVariables, toPrefix } from './provider-settings.ts';
import type { FoundProvider, ProviderSettings, Variables } from './provider-settings.ts';

/** Finds out how a provider is reached; undefined or an error: it cannot be. */
export type ResolveProvider = (
  provider: string,
) => ProviderSettings | undefined | Promise<ProviderSettings | undefined>;

/** What the folder of a session says about models, as far as its user trusts it. */
export interface ProjectVariables {
  readonly variables: Variables;
  /** That something there is not used, and why. */
  readonly notice?: ModelNotice;
}

/** Finds out what a folder says about models. */
export type ReadProjectVariables = (cwd: string) => Promise<ProjectVariables>;

/** What the models are made of. */
export interface EnvironmentModelsOptions {
  /** The variables of the process. */
  readonly variables: Variables;
  /** Asked for what the folder of a session says. @default nothing */
  readonly projectVariables?: ReadProjectVariables;
  readonly clock: Clock;
  /** The model sessions begin with, as `provider/model`. @default the one the variables say */
  readonly initialModel?: string;
  /** Asked in place of the variables when a model of a provider is chosen. */
  readonly resolveProvider?: ResolveProvider;
  /** What the tokens of models cost, by `provider/model`. @default unknown, save where a provider says it */
  readonly prices?: ModelPrices;
  /** Takes a line for the log. */
  log(line: string): void;
}

/** Finds the models that variables, those of the process and those of a session's folder, describe, and the offline model. */
export async function openEnvironmentModels(
  cwd: string,
  options: EnvironmentModelsOptions,
): Promise<SessionModels> {
  const { clock, initialModel, prices = {} } = options;
  const project = (await options.projectVariables?.(cwd)) ?? { variables: {} };
  const variables = new ProviderVariables(options.variables, project.variables);
  const offline = createOfflineModel(clock);
  const create = async (provider: string, model: string): Promise<Model> => {
    if (`${provider}/${model}` === offline.id) return offline;
    const settings = await resolve(provider, variables, options);
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
  const found = ids.flatMap((provider) => withModel(provider, variables.find(provider)));
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
  create: SessionModels['create'],
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

async function resolve(
  provider: string,
  variables: ProviderVariables,
  { resolveProvider, log }: EnvironmentModelsOptions,
): Promise<ProviderSettings> {
  try {
    const settings =
      resolveProvider === undefined ? variables.find(provider) : await resolveProvider(provider);
    if (settings !== undefined) return settings;
  } catch (error) {
    // Source document 001, C.8: never the message, which may hold a key.
    log(
      `provider ${JSON.stringify(provider)} cannot be resolved: ${error instanceof Error ? error.name : typeof error}`,
    );
  }
  throw unknownProvider(provider);
}

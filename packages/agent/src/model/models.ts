import { AgentError } from '../agent-error.ts';
import type { Model, ModelNotice } from './model.ts';
import type { Providers } from './providers.ts';

/** A source of models. */
export interface Models {
  /** Returns the models for a conversation in `cwd`. */
  open(cwd: string): Promise<ConversationModels>;
  /** The providers of the models, where a client can configure them. */
  readonly providers?: Providers;
}

/** The models of one conversation. */
export interface ConversationModels {
  /** The initial model. */
  readonly initial: Model;
  /** The known models, as `provider/model`. */
  readonly choices: readonly string[];
  /** Notices about the source of the models, displayed whenever the conversation is opened. @default none */
  readonly notices?: readonly ModelNotice[];
  /**
   * @throws {AgentError} `unknown-provider`: the provider is unknown, or its configuration is incomplete.
   *   `unknown-model`: the provider is known not to have the model.
   */
  create(provider: string, model: string): Promise<Model>;
}

/** Returns a source with a single model. */
export function singleModel(model: Model): Models {
  const models: ConversationModels = {
    initial: model,
    choices: [model.id],
    create: (provider, name) =>
      `${provider}/${name}` === model.id ? Promise.resolve(model) : Promise.reject(unknownProvider(provider)),
  };
  return { open: () => Promise.resolve(models) };
}

/** The error for a provider that cannot be used. It contains no details, because they may include a key. */
export function unknownProvider(provider: string): AgentError {
  return new AgentError('unknown-provider', `cannot resolve provider '${provider}'`);
}

/** The error for a model that its provider does not have. */
export function unknownModel(provider: string, model: string): AgentError {
  return new AgentError('unknown-model', `provider '${provider}' has no model '${model}'`);
}

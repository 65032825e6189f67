import { AgentError } from '../agent-error.ts';
import type { Model, ModelNotice } from './model.ts';

/** Where the models of a session come from. */
export interface Models {
  /** Finds the models for a session that works in `cwd`. */
  open(cwd: string): Promise<SessionModels>;
}

/** The models of one session. */
export interface SessionModels {
  /** The one it begins with. */
  readonly initial: Model;
  /** Ids that are known, as `provider/model`. */
  readonly choices: readonly string[];
  /** What a user should know about where the models come from, each time the session is opened. @default nothing */
  readonly notices?: readonly ModelNotice[];
  /** @throws {AgentError} `unknown-provider`: nothing is known of this provider, or not enough to reach it. */
  create(provider: string, model: string): Promise<Model>;
}

/** Always this one model. */
export function singleModel(model: Model): Models {
  const models: SessionModels = {
    initial: model,
    choices: [model.id],
    create: (provider, name) =>
      `${provider}/${name}` === model.id ? Promise.resolve(model) : Promise.reject(unknownProvider(provider)),
  };
  return { open: () => Promise.resolve(models) };
}

/** What is said when a provider cannot be used; no more, for the error may contain a key. */
export function unknownProvider(provider: string): AgentError {
  return new AgentError('unknown-provider', `cannot resolve provider '${provider}'`);
}

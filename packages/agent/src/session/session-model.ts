import { invalidParams, invalidRequest } from '@parley/acp';
import type { SelectSessionConfigOption } from '@parley/acp';
import { errorCode } from '../error-code.ts';
import type { Model } from '../model/model.ts';
import type { Models, SessionModels } from '../model/models.ts';

/** The model of one session, and which others it can have. What is chosen holds from the next response on. */
export class SessionModel {
  readonly #models: SessionModels;
  #current: Model;
  #choices = 0;

  constructor(models: SessionModels) {
    this.#models = models;
    this.#current = models.initial;
  }

  get current(): Model {
    return this.#current;
  }

  /** The current model without its provider. */
  get name(): string {
    return splitId(this.#current.id)[1];
  }

  /**
   * Takes `provider/model`, split at the first slash, or a model of the present provider.
   *
   * @throws {RpcError} -32602: empty, in whole or in part. -32600: the provider cannot be used.
   */
  async choose(value: string): Promise<void> {
    const text = value.trim();
    if (!text.includes('/')) return await this.chooseName(text, 'value');
    const [provider, name] = splitId(text);
    if (provider === '' || name === '') throw invalidParams('value', 'provider/model, or a model');
    await this.#create(provider.toLowerCase(), name);
  }

  /**
   * Takes any model of the present provider.
   *
   * @param field Where the name stands in the request, for its refusal.
   */
  async chooseName(value: string, field: string): Promise<void> {
    const name = value.trim();
    if (name === '') throw invalidParams(field, 'a text that is not empty');
    await this.#create(splitId(this.#current.id)[0], name);
  }

  /** What a client shows: the models that are known, and the current one in any case. */
  toConfigOption(): SelectSessionConfigOption {
    const { id } = this.#current;
    const ids = [...new Set([id, this.#models.initial.id, ...this.#models.choices])];
    return {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: id,
      options: ids.map((value) => ({ value, name: value })),
    };
  }

  async #create(provider: string, name: string): Promise<void> {
    this.#choices += 1;
    const choice = this.#choices;
    const model = await refuseUnknown(this.#models.create(provider, name));
    // Of two that were chosen at the same time the later one holds.
    if (choice === this.#choices) this.#current = model;
  }
}

/** Finds the models for a session that works in `cwd`; -32600 when the one it should begin with cannot be used. */
export async function openSessionModel(models: Models, cwd: string): Promise<SessionModel> {
  return new SessionModel(await refuseUnknown(models.open(cwd)));
}

async function refuseUnknown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (errorCode(error) !== 'unknown-provider' || !(error instanceof Error)) throw error;
    throw invalidRequest(error.message, { code: 'unknown-provider' });
  }
}

function splitId(id: string): readonly [provider: string, name: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash).trim(), id.slice(slash + 1).trim()];
}

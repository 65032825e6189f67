import { invalidParams, invalidRequest } from '@parley/acp';
import type { SelectSessionConfigOption } from '@parley/acp';
import type { RpcError } from '@parley/wire';
import { errorCode } from '../error-code.ts';
import type { Model, ModelNotice, ModelPart, ModelRequest } from '../model/model.ts';
import type { Models, ConversationModels } from '../model/models.ts';

/** Bounds that a client sets, for any model. */
export interface ModelBounds {
  /** Tokens that a conversation may have. */
  readonly contextLength?: number;
  /** Tokens that one response may have. */
  readonly maxTokens?: number;
}

/** The model of a conversation, and the available ones. A change applies from the next response on. */
export class ConversationModel {
  readonly #models: ConversationModels;
  #current: Model;
  #bounds: ModelBounds = {};
  #thoughtLevel: string = defaultLevel;
  #choices = 0;

  constructor(models: ConversationModels) {
    this.#models = models;
    this.#current = models.initial;
  }

  get current(): Model {
    return this.#current;
  }

  /** What a user should know about where the models come from. */
  get notices(): readonly ModelNotice[] {
    return this.#models.notices ?? [];
  }

  /** The current model without its provider. */
  get name(): string {
    return splitId(this.#current.id)[1];
  }

  /** The models of the present provider that are known, without it. */
  get names(): readonly string[] {
    const [provider] = splitId(this.#current.id);
    return this.ids.map(splitId).flatMap((id) => (id[0] === provider ? [id[1]] : []));
  }

  /** Tokens that a conversation may have. */
  get contextSize(): number {
    return this.#bounds.contextLength ?? this.#current.contextSize;
  }

  /** Tokens that one response may have, where a client has said so. */
  get maxTokens(): number | undefined {
    return this.#bounds.maxTokens;
  }

  /** Sets bounds; those that are not named stay as they are, also when the model is another. */
  setBounds(bounds: ModelBounds): void {
    this.#bounds = { ...this.#bounds, ...bounds };
  }

  /** The thinking level; `default` if the current model does not support the chosen one. */
  get thoughtLevel(): string {
    return this.#levels.includes(this.#thoughtLevel) ? this.#thoughtLevel : defaultLevel;
  }

  /** @throws {RpcError} -32602: the current model has no such level. */
  chooseThoughtLevel(level: string): void {
    const known = [defaultLevel, ...this.#levels];
    if (!known.includes(level)) throw invalidParams('value', `one of ${known.join(', ')}`);
    this.#thoughtLevel = level;
  }

  /** Restores the level that was chosen at an earlier time, for the model of now. */
  restoreThoughtLevel(level: string): void {
    this.#thoughtLevel = level;
  }

  /** Asks the current model, within the bounds. */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const { maxTokens } = this.#bounds;
    const { thoughtLevel } = this;
    const settings = {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(thoughtLevel !== defaultLevel && { thoughtLevel }),
    };
    return this.#current.respond({ ...request, ...settings }, signal);
  }

  /**
   * Chooses `provider/model`, split at the first slash, or a model of the current provider.
   *
   * @param field The name of the field, for error messages.
   * @throws {RpcError} -32602: empty, in whole or in part, or its provider has no such model. -32600: the provider cannot be used.
   */
  async choose(value: string, field = 'value'): Promise<void> {
    const text = value.trim();
    if (!text.includes('/')) return await this.chooseName(text, field);
    const [provider, name] = splitId(text);
    if (provider === '' || name === '') throw invalidParams(field, 'provider/model, or a model');
    await this.#create(provider.toLowerCase(), name, field);
  }

  /** Chooses any model of the current provider. @param field The name of the field, for error messages. */
  async chooseName(value: string, field: string): Promise<void> {
    const name = value.trim();
    if (name === '') throw invalidParams(field, 'a text that is not empty');
    await this.#create(splitId(this.#current.id)[0], name, field);
  }

  /** The models that are known, the current one first. */
  get ids(): readonly string[] {
    return [...new Set([this.#current.id, this.#models.initial.id, ...this.#models.choices])];
  }

  /** What a client shows. */
  toConfigOption(): SelectSessionConfigOption {
    return {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: this.#current.id,
      options: this.ids.map((value) => ({ value, name: value })),
    };
  }

  /** How much the model thinks, where that can be chosen. */
  toThoughtOption(): SelectSessionConfigOption | undefined {
    if (this.#levels.length === 0) return undefined;
    return {
      id: 'thought_level',
      name: 'Thought level',
      category: 'thought_level',
      type: 'select',
      currentValue: this.thoughtLevel,
      options: [defaultLevel, ...this.#levels].map((value) => ({ value, name: levelNames[value] ?? value })),
    };
  }

  get #levels(): readonly string[] {
    return this.#current.thoughtLevels ?? [];
  }

  async #create(provider: string, name: string, field: string): Promise<void> {
    this.#choices += 1;
    const choice = this.#choices;
    const model = await refuseUnknown(this.#models.create(provider, name), () =>
      invalidParams(field, `a known model, such as ${this.ids.join(', ')}`),
    );
    // Of two that were chosen at the same time the later one holds.
    if (choice === this.#choices) this.#current = model;
  }
}

/** What a model does by itself. */
const defaultLevel = 'default';

const levelNames: Readonly<Record<string, string>> = {
  default: 'Default',
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
};

/** Finds the models for a conversation that works in `cwd`; -32600 when the one it should begin with cannot be used. */
export async function openConversationModel(models: Models, cwd: string): Promise<ConversationModel> {
  return new ConversationModel(await refuseUnknown(models.open(cwd)));
}

/** @param unknownModel The error for a model that its provider does not have. @default as for a provider that cannot be used */
async function refuseUnknown<T>(answer: Promise<T>, unknownModel?: () => RpcError): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const code = errorCode(error);
    if ((code !== 'unknown-provider' && code !== 'unknown-model') || !(error instanceof Error)) throw error;
    if (code === 'unknown-model' && unknownModel !== undefined) throw unknownModel();
    throw invalidRequest(error.message, { code });
  }
}

function splitId(id: string): readonly [provider: string, name: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash).trim(), id.slice(slash + 1).trim()];
}

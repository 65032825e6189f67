import { invalidParams } from '@parley/acp';
import type { Conversation } from './conversation.ts';
import { refuseOtherKeys } from './refuse-other-keys.ts';

/** What `session/set_model`, which no revision of the protocol has any more, changes in a conversation. */
export interface ModelChange {
  /** Agentao's: a model of the present provider, by any name. */
  readonly model?: string;
  /** That of old revisions of the protocol: `provider/model`, or a model of the present provider. */
  readonly modelId?: string;
  /** Tokens that a conversation may have. */
  readonly contextLength?: number;
  /** Tokens that one response may have. */
  readonly maxTokens?: number;
}

/** @throws {RpcError} -32602: no change is requested, or a value is invalid. */
export function parseModelChange(params: object, otherKeys: readonly string[]): ModelChange {
  refuseOtherKeys(params, ['sessionId', 'model', 'modelId', 'contextLength', 'maxTokens', ...otherKeys]);
  const fields = new Map<string, unknown>(Object.entries(params));
  const model = readText(fields, 'model');
  const modelId = readText(fields, 'modelId');
  const contextLength = readCount(fields, 'contextLength');
  const maxTokens = readCount(fields, 'maxTokens');
  if (model !== undefined && modelId !== undefined) {
    throw invalidParams('modelId', 'absent, because model is set');
  }
  const change = {
    ...(model !== undefined && { model }),
    ...(modelId !== undefined && { modelId }),
    ...(contextLength !== undefined && { contextLength }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  if (Object.keys(change).length === 0) {
    throw invalidParams('', 'at least one of model, modelId, contextLength, maxTokens');
  }
  return change;
}

/** Changes the model and its limits; fields that are absent stay. If the model is not available, nothing changes. */
export async function changeModel(
  conversation: Conversation,
  { model, modelId, ...bounds }: ModelChange,
): Promise<void> {
  if (model !== undefined) await conversation.setModelName(model);
  if (modelId !== undefined) await conversation.setModel(modelId, 'modelId');
  conversation.setModelBounds(bounds);
}

/** Source document 001, C.9: sets a model of the present provider; any name will do. Gives that of the model. */
export async function setModelByName(
  conversation: Conversation,
  params: object,
  otherKeys: readonly string[],
): Promise<{ readonly model: string }> {
  refuseOtherKeys(params, ['sessionId', 'model', ...otherKeys]);
  const model = 'model' in params ? params.model : undefined;
  if (typeof model !== 'string') throw invalidParams('model', 'a text');
  await conversation.setModelName(model);
  return { model: conversation.model.name };
}

function readText(fields: ReadonlyMap<string, unknown>, field: string): string | undefined {
  const value = fields.get(field) ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalidParams(field, 'a text that is not empty');
}

function readCount(fields: ReadonlyMap<string, unknown>, field: string): number | undefined {
  const value = fields.get(field) ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) {
    throw invalidParams(field, 'an integer above 0');
  }
  return value;
}

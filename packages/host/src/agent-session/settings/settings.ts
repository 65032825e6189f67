import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@parley/acp';
import type { LegacyModel } from '../agent-session.ts';

/** The settings that a session offers, as the agent reported last. */
export interface Settings {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
  readonly models?: readonly LegacyModel[];
}

/** Returns the current settings of an open session. */
export function settingsOf({
  modes,
  configOptions,
  models,
}: {
  readonly [Name in keyof Settings]: Settings[Name] | undefined;
}): Settings {
  return {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
    ...(models !== undefined && { models }),
  };
}

/** The answer that opened a session. */
export interface OpeningResponse {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
}

/** What the answer that opened a session offers. */
export function toSettings(response: OpeningResponse): Settings {
  const { modes, configOptions } = response;
  const models = legacyModels(response);
  return {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
    ...(models !== undefined && { models }),
  };
}

/** The settings after an update. Most updates change nothing. */
export function settingsAfter(settings: Settings, update: SessionUpdate): Settings {
  if (update.sessionUpdate === 'current_mode_update') return withMode(settings, update.currentModeId);
  if (update.sessionUpdate === 'config_option_update') {
    return { ...settings, configOptions: update.configOptions };
  }
  return settings;
}

/** The settings with another current mode. */
export function withMode(settings: Settings, currentModeId: string): Settings {
  if (settings.modes === undefined) return settings;
  return { ...settings, modes: { ...settings.modes, currentModeId } };
}

/** The settings with another current one among the models of old agents. */
export function withModel(settings: Settings, currentModelId: string): Settings {
  if (settings.models === undefined) return settings;
  const models = settings.models.map(({ isCurrent: _before, ...model }) =>
    markCurrent(model, currentModelId),
  );
  return { ...settings, models };
}

function markCurrent(model: LegacyModel, currentModelId: unknown): LegacyModel {
  return model.modelId === currentModelId ? { ...model, isCurrent: true } : model;
}

/**
 * The models that old agents list beside the modes: `models: { currentModelId, availableModels: [{ modelId, name }] }`.
 * They are in no schema any more.
 */
function legacyModels(response: object): readonly LegacyModel[] | undefined {
  const models: unknown = 'models' in response ? response.models : undefined;
  if (typeof models !== 'object' || models === null || !('availableModels' in models)) return undefined;
  if (!Array.isArray(models.availableModels)) return undefined;
  const list: readonly unknown[] = models.availableModels;
  const current = 'currentModelId' in models ? models.currentModelId : undefined;
  return list.flatMap((item) => {
    if (typeof item !== 'object' || item === null || !('modelId' in item)) return [];
    if (typeof item.modelId !== 'string') return [];
    const name = 'name' in item && typeof item.name === 'string' ? { name: item.name } : {};
    return [markCurrent({ modelId: item.modelId, ...name }, current)];
  });
}

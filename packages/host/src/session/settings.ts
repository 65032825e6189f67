import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@parley/acp';
import type { LegacyModel } from './session.ts';

/** What a session lets the client set, as the agent told last. */
export interface Settings {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
  readonly models?: readonly LegacyModel[];
}

/** What the answer that opened a session offers. */
export function toSettings(response: {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
}): Settings {
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

/**
 * The models that old agents list beside the modes: `models: { availableModels: [{ modelId, name }] }`. They are in
 * no schema any more.
 */
function legacyModels(response: object): readonly LegacyModel[] | undefined {
  const models: unknown = 'models' in response ? response.models : undefined;
  if (typeof models !== 'object' || models === null || !('availableModels' in models)) return undefined;
  if (!Array.isArray(models.availableModels)) return undefined;
  const list: readonly unknown[] = models.availableModels;
  return list.flatMap((item) => {
    if (typeof item !== 'object' || item === null || !('modelId' in item)) return [];
    if (typeof item.modelId !== 'string') return [];
    const name = 'name' in item && typeof item.name === 'string' ? { name: item.name } : {};
    return [{ modelId: item.modelId, ...name }];
  });
}

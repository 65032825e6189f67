import type { AgentOption } from '@parley/aap';
import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@parley/acp';
import { HostError, settingsOf, type LegacyModel, type AgentSession, type Settings } from '@parley/host';
import { shorten } from '@parley/wire';

/** The option that represents the modes of agents that have no config option for them. */
const modeOption = 'mode';

/** The option that represents the models of agents that are older than config options. */
const modelOption = 'model';

/** One setting of a session, as an option of its agent. */
interface Choice {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly current: string;
  readonly values: readonly string[];
  readonly category: string;
  readonly setBy: 'option' | 'mode' | 'model';
}

/**
 * The settings that an application may change. The default mode is the one in which the agent asks, if it is known
 * and offered.
 */
export function toAgentOptions(settings: Settings, askMode?: string): readonly AgentOption[] {
  return toChoices(settings).map(({ name, title, description, current, values, category }) => ({
    type: 'select',
    name,
    title,
    ...(description !== undefined && { description }),
    options: values,
    default: category === 'mode' && askMode !== undefined && values.includes(askMode) ? askMode : current,
  }));
}

/** The values of all options, as they are now. */
function optionValues(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries(toChoices(settings).map(({ name, current }) => [name, current]));
}

/** The values that an update of the agent's changes. */
export function changedValues(update: SettingsUpdate, settings: Settings): Readonly<Record<string, string>> {
  if (update.sessionUpdate === 'config_option_update') return optionValues(settings);
  const choice = toChoices(settings).find(({ category }) => category === 'mode');
  return choice?.values.includes(update.currentModeId) === true
    ? { [choice.name]: update.currentModeId }
    : {};
}

/** What an agent reports when it changes settings by itself. */
export type SettingsUpdate = Extract<
  SessionUpdate,
  { readonly sessionUpdate: 'config_option_update' | 'current_mode_update' }
>;

/** Whether an update is about settings. */
export function changesSettings(update: SessionUpdate): update is SettingsUpdate {
  return update.sessionUpdate === 'config_option_update' || update.sessionUpdate === 'current_mode_update';
}

/** The values to use where the application did not choose. */
export interface OptionPreferences {
  /** The defaults that were announced for the agent's options. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The mode of an agent whose options are not known yet. */
  readonly askMode?: string;
}

/**
 * Sets options that differ from what the application chose. A default that the session does not offer is ignored: it
 * came from another session.
 *
 * @throws {HostError} `not-offered`, or the agent rejected it.
 */
export async function applyOptions(
  session: AgentSession,
  wanted: Readonly<Record<string, string>>,
  { defaults, askMode, signal }: OptionPreferences & { readonly signal: AbortSignal },
): Promise<void> {
  // One that is set may change what the others offer.
  for (const { name } of toChoices(settingsOf(session))) {
    const choice = toChoices(settingsOf(session)).find((candidate) => candidate.name === name);
    const value = wanted[name] ?? (choice?.category === 'mode' ? askMode : undefined);
    if (choice === undefined || value === undefined || value === choice.current) continue;
    if (!choice.values.includes(value)) {
      if (value === defaults[name] || value === askMode) continue;
      throw new HostError(
        'not-offered',
        `the session does not offer ${JSON.stringify(shorten(value))} for ${name}`,
      );
    }
    await setChoice(session, choice, { value, signal });
  }
}

function setChoice(
  session: AgentSession,
  { name, setBy }: Choice,
  { value, signal }: { readonly value: string; readonly signal: AbortSignal },
): Promise<void> {
  switch (setBy) {
    case 'option':
      return session.setOption(name, value, { signal });
    case 'mode':
      return session.setMode(value, { signal });
    case 'model':
      return session.setModel(value, { signal });
  }
}

function toChoices({ modes, configOptions = [], models = [] }: Settings): readonly Choice[] {
  // Of two with one id, only the first could be set.
  const firsts = new Map(configOptions.toReversed().map((option) => [option.id, option]));
  const choices = configOptions.filter((option) => firsts.get(option.id) === option).flatMap(toChoice);
  // ACP v1, Session Config Options: where there are both, the modes are the same thing once more.
  const has = (option: string): boolean =>
    choices.some(({ name, category }) => name === option || category === option);
  return [
    ...choices,
    ...(modes === undefined || has(modeOption) ? [] : [toModeChoice(modes)]),
    ...(has(modelOption) ? [] : toModelChoice(models)),
  ];
}

function toChoice(option: SessionConfigOption): readonly Choice[] {
  const { id, name, description, category } = option;
  const base = {
    name: id,
    title: name,
    ...(description !== undefined && { description }),
    category: category ?? (id === modeOption ? 'mode' : ''),
    setBy: 'option',
  } as const;
  switch (option.type) {
    case 'select': {
      const values = option.options.flatMap((item) =>
        'group' in item ? item.options.map(({ value }) => value) : [item.value],
      );
      return [{ ...base, current: option.currentValue, values: withCurrent(option.currentValue, values) }];
    }
    case 'boolean':
      return [{ ...base, current: String(option.currentValue), values: ['true', 'false'] }];
    case 'unknown':
      return [];
  }
}

function toModeChoice({ currentModeId, availableModes }: SessionModeState): Choice {
  const ids = availableModes.map(({ id }) => id);
  return {
    name: modeOption,
    title: 'Mode',
    current: currentModeId,
    values: withCurrent(currentModeId, ids),
    category: 'mode',
    setBy: 'mode',
  };
}

/** An option has a default: where the agent does not report one, none is listed. */
function toModelChoice(models: readonly LegacyModel[]): readonly Choice[] {
  const current = models.find(({ isCurrent }) => isCurrent)?.modelId;
  if (current === undefined) return [];
  const values = withCurrent(
    current,
    models.map(({ modelId }) => modelId),
  );
  return [{ name: modelOption, title: 'Model', current, values, category: 'model', setBy: 'model' }];
}

/** The values, each once. A current one that is not among them could not be sent back. */
function withCurrent(current: string, values: readonly string[]): readonly string[] {
  return [...new Set(values.includes(current) ? values : [current, ...values])];
}

import type {
  SessionConfigOption,
  SessionConfigSelectOptions,
  SessionMode,
  SessionModeState,
} from '@parley/acp';
import type { SessionState } from '@parley/host/state';
import type { Texts } from '../text/en.ts';
import { ownText, type OwnTexts } from '../text/own-text.ts';

/** What can be set in a session. */
export type Setting = ChoiceSetting | SwitchSetting | UnknownSetting;

/** The categories of settings. Categories that only the agent knows are `other`. */
export type SettingCategory = 'mode' | 'model' | 'thought_level' | 'model_config' | 'other';

interface SettingBase {
  /** Of the option. A mode that is no option, and a model of the older protocol, are called `mode` and `model`. */
  readonly id: string;
  /** How it is set. */
  readonly by: 'mode' | 'option' | 'model';
  readonly category: SettingCategory;
  /** As the agent calls it; absent where only the interface has a word for it. */
  readonly name?: string;
  readonly description?: string;
}

/** One of several. */
export interface ChoiceSetting extends SettingBase {
  readonly kind: 'choice';
  /** Absent where the agent does not report it. */
  readonly value?: string;
  readonly groups: readonly ChoiceGroup[];
}

/** On or off. */
export interface SwitchSetting extends SettingBase {
  readonly kind: 'switch';
  readonly value: boolean;
}

/** Of a type that this version does not know. */
export interface UnknownSetting extends SettingBase {
  readonly kind: 'unknown';
}

/** Choices that belong together. */
export interface ChoiceGroup {
  readonly name?: string;
  readonly choices: readonly Choice[];
}

/** What a setting can be set to. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  /** A mode in which the agent does everything without asking. */
  readonly asksNothing?: true;
}

/** The fields of a session from which its settings are built. */
export type Offered = Pick<SessionState, 'modes' | 'configOptions' | 'models'>;

/**
 * All settings of a session: the mode, the model, then others in the agent's order.
 *
 * @param ownTexts Translated texts of Parley's own agent.
 */
export function toSettings(
  { modes, configOptions = [], models }: Offered,
  ownTexts: OwnTexts = {},
): readonly Setting[] {
  const options = configOptions.map(toSetting);
  const has = (category: SettingCategory): boolean => options.some((option) => option.category === category);
  const all = [
    // ACP v1, Session Config Options: an agent that offers both means the options.
    ...(modes === undefined || has('mode') ? [] : [modeSetting(modes)]),
    ...(models === undefined || has('model') ? [] : [modelSetting(models)]),
    ...options,
  ];
  return all
    .toSorted((left, right) => rankOf(left) - rankOf(right))
    .map((setting) => translated(setting, ownTexts));
}

function translated(setting: Setting, texts: OwnTexts): Setting {
  const named = { ...setting, ...namesIn(setting, texts) };
  if (named.kind !== 'choice') return named;
  const groups = named.groups.map((group) => ({
    ...group,
    choices: group.choices.map((choice) => ({ ...choice, ...namesIn(choice, texts) })),
  }));
  return { ...named, groups };
}

function namesIn<Named extends { readonly name?: string; readonly description?: string }>(
  { name, description }: Named,
  texts: OwnTexts,
): Pick<Named, 'name' | 'description'> {
  return {
    ...(name !== undefined && { name: ownText(name, texts) }),
    ...(description !== undefined && { description: ownText(description, texts) }),
  };
}

/** How the value of a setting is called. */
export function valueName({ value, groups }: ChoiceSetting): string | undefined {
  const choice = groups.flatMap(({ choices }) => choices).find((each) => each.value === value);
  return choice?.name ?? value;
}

/** Whether the current mode lets the agent do everything without asking. */
export function asksNothing({ value, groups }: ChoiceSetting): boolean {
  return groups.some(({ choices }) =>
    choices.some((each) => each.value === value && each.asksNothing === true),
  );
}

/** The groups with only those choices in which each word of the query is found. */
export function searchChoices(groups: readonly ChoiceGroup[], query: string): readonly ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      choices: group.choices.filter(({ value, name, description = '' }) => {
        const text = `${value} ${name} ${description} ${group.name ?? ''}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ choices }) => choices.length > 0);
}

/** The settings by what they are about, in the order of the first of each. */
export function byCategory(
  settings: readonly Setting[],
): readonly { readonly category: SettingCategory; readonly settings: readonly Setting[] }[] {
  return [...new Set(settings.map(({ category }) => category))].map((category) => ({
    category,
    settings: settings.filter((setting) => setting.category === category),
  }));
}

/** Ids of modes of known agents that ask nothing, in lower case and without separators. */
const trusting = new Set(['fullaccess', 'bypasspermissions', 'yolo', 'dangerfullaccess', 'autoapproveall']);

const ranks: Readonly<Record<SettingCategory, number>> = {
  mode: 0,
  model: 1,
  thought_level: 2,
  model_config: 3,
  other: 4,
};

function rankOf({ category }: Setting): number {
  return ranks[category];
}

function modeSetting({ currentModeId, availableModes }: SessionModeState): ChoiceSetting {
  const choices = availableModes.map(({ id, name, description }) =>
    toChoice({ value: id, name, description }, 'mode'),
  );
  return {
    kind: 'choice',
    id: 'mode',
    by: 'mode',
    category: 'mode',
    value: currentModeId,
    groups: [{ choices }],
  };
}

function modelSetting(models: NonNullable<Offered['models']>): ChoiceSetting {
  const choices = models.map(({ modelId, name }) => ({ value: modelId, name: name ?? modelId }));
  const value = models.find(({ isCurrent }) => isCurrent)?.modelId;
  return {
    kind: 'choice',
    id: 'model',
    by: 'model',
    category: 'model',
    ...(value !== undefined && { value }),
    groups: [{ choices }],
  };
}

function toSetting(option: SessionConfigOption): Setting {
  const { id, name, description } = option;
  const category = toCategory(option.category);
  const base = {
    id,
    by: 'option',
    category,
    name,
    ...(description !== undefined && { description }),
  } as const;
  switch (option.type) {
    case 'select':
      return {
        ...base,
        kind: 'choice',
        value: option.currentValue,
        groups: toGroups(option.options, category),
      };
    case 'boolean':
      return { ...base, kind: 'switch', value: option.currentValue };
    case 'unknown':
      return { ...base, kind: 'unknown' };
  }
}

function toGroups(options: SessionConfigSelectOptions, category: SettingCategory): readonly ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  const loose: Choice[] = [];
  for (const option of options) {
    if ('group' in option) {
      groups.push({ name: option.name, choices: option.options.map((each) => toChoice(each, category)) });
    } else loose.push(toChoice(option, category));
  }
  return loose.length === 0 ? groups : [{ choices: loose }, ...groups];
}

interface Offer {
  readonly value: string;
  readonly name: string;
  readonly description?: SessionMode['description'] | undefined;
}

function toChoice({ value, name, description }: Offer, category: SettingCategory): Choice {
  const isTrusting = category === 'mode' && trusting.has(value.toLowerCase().replaceAll(/[^a-z]/gu, ''));
  return {
    value,
    name,
    ...(description !== undefined && { description }),
    ...(isTrusting && { asksNothing: true }),
  };
}

function toCategory(category: string | undefined): SettingCategory {
  switch (category) {
    case 'mode':
    case 'model':
    case 'thought_level':
    case 'model_config':
      return category;
    default:
      return 'other';
  }
}

/** What a setting is called: as the agent calls it, where it does. */
export function settingName({ name, by }: Setting, prompt: Texts['prompt']): string {
  return name ?? (by === 'model' ? prompt.model : prompt.mode);
}

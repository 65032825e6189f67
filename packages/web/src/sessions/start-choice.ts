import type { SessionConfigOption, SessionModeState } from '@parley/acp';
import type { AgentCard, HubAgent, HubSession, NewSessionWorktree } from '@parley/host/hub';
import { isJsonObject } from '@parley/wire';
import { recentFolders } from '../limits.ts';

/** The choices for the last session that was started in this browser. */
export interface StartChoice {
  readonly agent?: string;
  readonly cwd?: string;
  /** The settings that differ from the agent's defaults, by agent. */
  readonly settings?: Readonly<Record<string, StartSettings>>;
}

/** The settings of a new session. */
export interface StartSettings {
  readonly mode?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
}

/** Parses stored choices; invalid ones are ignored. */
export function parseStartChoice(text: string | undefined): StartChoice {
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    if (!isJsonObject(kept)) return {};
    const { agent, cwd, settings } = kept;
    return {
      ...(typeof agent === 'string' && { agent }),
      ...(typeof cwd === 'string' && { cwd }),
      ...(isJsonObject(settings) && { settings: readSettings(settings) }),
    };
  } catch {
    return {};
  }
}

function readSettings(kept: Readonly<Record<string, unknown>>): Readonly<Record<string, StartSettings>> {
  const settings: Record<string, StartSettings> = {};
  for (const [agent, value] of Object.entries(kept)) {
    if (!isJsonObject(value)) continue;
    const { mode, options } = value;
    const known: Record<string, string | boolean> = {};
    for (const [id, set] of Object.entries(isJsonObject(options) ? options : {})) {
      if (typeof set === 'string' || typeof set === 'boolean') known[id] = set;
    }
    settings[agent] = { ...(typeof mode === 'string' && { mode }), options: known };
  }
  return settings;
}

/** The wish for a worktree without empty fields. */
export function worktreeToSend({
  name = '',
  base = '',
  withChanges,
}: NewSessionWorktree): NewSessionWorktree {
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(base.trim() !== '' && { base: base.trim() }),
    ...(withChanges === true && { withChanges }),
  };
}

/** The agents that can be started, the default one first, then as they are known from. */
export function startable(agents: readonly HubAgent[]): readonly HubAgent[] {
  const places = ['own', 'configured', 'installed'];
  return agents
    .filter(({ place }) => place !== 'available')
    .toSorted(
      (left, right) =>
        Number(right.isDefault === true) - Number(left.isDefault === true) ||
        places.indexOf(left.place) - places.indexOf(right.place),
    );
}

/** The chosen agent, else the default one, else the first. */
export function chosenAgent(agents: readonly HubAgent[], name: string | undefined): HubAgent | undefined {
  const candidates = startable(agents);
  return candidates.find((agent) => agent.name === name) ?? candidates[0];
}

/** The offered folders: the workspaces, and those of the last sessions, without duplicates. */
export function offeredFolders(
  workspaces: readonly string[],
  sessions: Iterable<HubSession>,
): readonly string[] {
  const latest = [...sessions].toSorted((left, right) => right.updatedAt - left.updatedAt);
  const recent = new Set(
    latest.map(({ cwd }) => cwd).filter((cwd) => workspaces.some((root) => isWithin(cwd, root))),
  );
  for (const root of workspaces) recent.delete(root);
  return [...workspaces, ...[...recent].slice(0, recentFolders)];
}

/** Whether a folder is another one, or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The settings that an agent offers before a session, with the chosen values. */
export function withChoices(
  { modes, configOptions }: Pick<AgentCard, 'modes' | 'configOptions'>,
  { mode, options = {} }: StartSettings,
): { readonly modes?: SessionModeState; readonly configOptions?: readonly SessionConfigOption[] } {
  const isKnown = modes?.availableModes.some(({ id }) => id === mode) === true;
  return {
    ...(modes !== undefined && {
      modes: isKnown && mode !== undefined ? { ...modes, currentModeId: mode } : modes,
    }),
    ...(configOptions !== undefined && {
      configOptions: configOptions.map((option) => withChoice(option, options[option.id])),
    }),
  };
}

function withChoice(option: SessionConfigOption, value: string | boolean | undefined): SessionConfigOption {
  if (option.type === 'boolean' && typeof value === 'boolean') return { ...option, currentValue: value };
  if (option.type !== 'select' || typeof value !== 'string') return option;
  const values = option.options.flatMap((each) => ('group' in each ? each.options : [each]));
  return values.some((each) => each.value === value) ? { ...option, currentValue: value } : option;
}

/** The chosen settings that the agent still offers: others would prevent the session from starting. */
export function settingsToSend(card: AgentCard | undefined, chosen: StartSettings): StartSettings {
  if (card === undefined) return {};
  const { modes, configOptions = [] } = withChoices(card, chosen);
  const options: Record<string, string | boolean> = {};
  for (const option of configOptions) {
    if (option.type === 'unknown') continue;
    if (option.currentValue === chosen.options?.[option.id]) options[option.id] = option.currentValue;
  }
  return {
    ...(chosen.mode !== undefined && modes?.currentModeId === chosen.mode && { mode: chosen.mode }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

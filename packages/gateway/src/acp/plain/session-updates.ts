import { Invalid, parseSessionUpdate, type Meta } from '@parley/acp';
import type { LoggedEvent, Settings } from '@parley/host';

/** The params of a `session/update`, without the session's id. */
export interface UpdateParams {
  readonly update: unknown;
  readonly _meta?: Meta;
}

/** How an event is sent. */
export interface UpdateOptions {
  /** The event happened before the client asked: its settings are in the response, and prompts of its own are shown. */
  readonly isPast: boolean;
  /** Whether the client itself sent this prompt. */
  readonly isOwnPrompt: (promptId: string) => boolean;
}

/** The events of one session as `session/update` says them, one after the other. */
export class SessionUpdates {
  #settings: Settings = {};
  #hasTurns = false;

  /** What the session lets its clients set, after the last event. */
  get settings(): Pick<Settings, 'modes' | 'configOptions'> {
    const { modes, configOptions } = this.#settings;
    return { ...(modes !== undefined && { modes }), ...(configOptions !== undefined && { configOptions }) };
  }

  take(event: LoggedEvent, { isPast, isOwnPrompt }: UpdateOptions): readonly UpdateParams[] {
    switch (event.type) {
      case 'turn-start': {
        this.#hasTurns = true;
        const { prompt, promptId } = event;
        if (!isPast && promptId !== undefined && isOwnPrompt(promptId)) return [];
        return prompt.map((content) => ({ update: { sessionUpdate: 'user_message_chunk', content } }));
      }
      case 'update': {
        // A history that the agent replays is known from the events, unless there are none.
        if (event.replay === true && this.#hasTurns) return [];
        const { update, meta } = event;
        this.#follow(update);
        return [{ update, ...(meta !== undefined && { _meta: meta }) }];
      }
      case 'session-ready':
      case 'settings': {
        const before = this.#settings;
        const { modes, configOptions } = event;
        this.#settings = {
          ...before,
          ...(modes !== undefined && { modes }),
          ...(configOptions !== undefined && { configOptions }),
        };
        return isPast ? [] : changesBetween(before, this.#settings);
      }
      default:
        return [];
    }
  }

  #follow(update: unknown): void {
    if (!saysSetting(update)) return;
    const parsed = parseSessionUpdate(update);
    if (parsed instanceof Invalid) return;
    const { modes } = this.#settings;
    if (parsed.sessionUpdate === 'config_option_update') {
      this.#settings = { ...this.#settings, configOptions: parsed.configOptions };
    } else if (parsed.sessionUpdate === 'current_mode_update' && modes !== undefined) {
      this.#settings = { ...this.#settings, modes: { ...modes, currentModeId: parsed.currentModeId } };
    }
  }
}

/** Most updates are about something else, and need not be parsed. */
function saysSetting(update: unknown): boolean {
  if (typeof update !== 'object' || update === null || !('sessionUpdate' in update)) return false;
  return update.sessionUpdate === 'config_option_update' || update.sessionUpdate === 'current_mode_update';
}

/** What another client changed, as the agent would say it. What was not known before is in the response that opened the session. */
function changesBetween(before: Settings, after: Settings): readonly UpdateParams[] {
  const updates: UpdateParams[] = [];
  const { modes, configOptions } = after;
  if (modes !== undefined && before.modes !== undefined) {
    const { currentModeId } = modes;
    if (currentModeId !== before.modes.currentModeId) {
      updates.push({ update: { sessionUpdate: 'current_mode_update', currentModeId } });
    }
  }
  if (configOptions !== undefined && before.configOptions !== undefined) {
    if (JSON.stringify(configOptions) !== JSON.stringify(before.configOptions)) {
      updates.push({ update: { sessionUpdate: 'config_option_update', configOptions } });
    }
  }
  return updates;
}

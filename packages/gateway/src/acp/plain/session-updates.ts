import { Invalid, parseSessionUpdate, type ClientCapabilities, type ContentBlock } from '@parley/acp';
import type { LoggedEvent, Settings } from '@parley/host';
import { fitUpdate } from './fit-capabilities.ts';
import { SubagentUpdates } from './subagent-updates.ts';
import type { UpdateParams } from './update-params.ts';

/** Whom the updates are for. */
export interface SessionUpdatesOptions {
  /** The session's key, which is its id for clients. */
  readonly key: string;
  /** What the client declared. */
  readonly capabilities: ClientCapabilities;
}

/** How an event is sent. */
export interface UpdateOptions {
  /**
   * Whether the event happened before the client opened the session: settings are in the response, and its own
   * prompts are included.
   */
  readonly isPast: boolean;
  /** Whether the client itself sent this prompt. */
  readonly isOwnPrompt: (promptId: string) => boolean;
}

/** Converts the events of a session to `session/update` notifications. */
export class SessionUpdates {
  #settings: Settings = {};
  #hasTurns = false;
  #isInTurn = false;
  readonly #capabilities: ClientCapabilities;
  readonly #subagents: SubagentUpdates;
  /** Texts that were sent into a turn, and have no outcome. */
  readonly #steering = new Map<string, readonly ContentBlock[]>();

  constructor({ key, capabilities }: SessionUpdatesOptions) {
    this.#capabilities = capabilities;
    this.#subagents = new SubagentUpdates({ key, isShown: capabilities.subagents !== undefined });
  }

  /** What the session lets its clients set, after the last event. */
  get settings(): Pick<Settings, 'modes' | 'configOptions'> {
    const { modes, configOptions } = this.#settings;
    return { ...(modes !== undefined && { modes }), ...(configOptions !== undefined && { configOptions }) };
  }

  /** What a client that loaded the session is sent after the response. */
  afterLoad(): readonly UpdateParams[] {
    return this.#subagents.announcements();
  }

  /** Whether the client was sent a sub-agent of that id. */
  hasSubagent(sessionId: string): boolean {
    return this.#subagents.has(sessionId);
  }

  take(event: LoggedEvent, options: UpdateOptions): readonly UpdateParams[] {
    return this.#convert(event, options).flatMap((params) => {
      const update = fitUpdate(params.update, this.#capabilities, this.#isInTurn);
      if (update === params.update) return [params];
      return update === undefined ? [] : [{ ...params, update }];
    });
  }

  #convert(event: LoggedEvent, { isPast, isOwnPrompt }: UpdateOptions): readonly UpdateParams[] {
    switch (event.type) {
      case 'turn-start': {
        this.#hasTurns = true;
        this.#isInTurn = true;
        const { prompt, promptId } = event;
        if (!isPast && promptId !== undefined && isOwnPrompt(promptId)) return [];
        return toUserChunks(prompt);
      }
      case 'turn-end':
        this.#isInTurn = false;
        return [];
      case 'steering-request':
        this.#steering.set(event.promptId, event.prompt);
        return [];
      case 'steering': {
        const { prompt, promptId, outcome } = event;
        this.#steering.delete(promptId);
        return outcome === 'queued' || (!isPast && isOwnPrompt(promptId)) ? [] : toUserChunks(prompt);
      }
      case 'update': {
        // A history that the agent replays is known from the events, unless there are none.
        if (event.replay === true && this.#hasTurns) return [];
        const { update, meta } = event;
        const ofSubagent = this.#subagents.take(event);
        if (ofSubagent !== undefined) return ofSubagent;
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
      case 'session':
      case 'agent-end':
        return this.#subagents.follow(event);
      case 'interruption': {
        this.#isInTurn = false;
        // What the agent had of them is unknown.
        const lost = [...this.#steering.values()].flatMap(toUserChunks);
        this.#steering.clear();
        return [...lost, ...this.#subagents.follow(event)];
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

function toUserChunks(prompt: readonly ContentBlock[]): readonly UpdateParams[] {
  return prompt.map((content) => ({ update: { sessionUpdate: 'user_message_chunk', content } }));
}

/** Most updates are about something else, and need not be parsed. */
function saysSetting(update: unknown): boolean {
  if (typeof update !== 'object' || update === null || !('sessionUpdate' in update)) return false;
  return update.sessionUpdate === 'config_option_update' || update.sessionUpdate === 'current_mode_update';
}

/**
 * The updates for settings that another client changed, as the agent would send them. Earlier settings are in the
 * response that opened the session.
 */
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

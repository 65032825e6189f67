import type { Run, AapSessionChange } from '@parley/aap/server';
import type { SessionUpdate } from '@parley/acp';
import { settingsOf, type AgentSession } from '@parley/host';
import { applyOptions, changedValues, changesSettings, type OptionPreferences } from './option-values.ts';

/**
 * The settings of a session: values that the application chose are sent to the agent, and changes by the agent become
 * choices of the session.
 */
export class SessionSettings {
  readonly #preferences: () => OptionPreferences;
  #isApplying = false;

  /** @param preferences The defaults, where the application chose nothing. */
  constructor(preferences: () => OptionPreferences) {
    this.#preferences = preferences;
  }

  /** Whether the application's choices are being sent to the agent. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** @throws {HostError} `not-offered`, or the agent refused. */
  async apply(run: Run, session: AgentSession): Promise<void> {
    this.#isApplying = true;
    try {
      await applyOptions(session, run.options, { ...this.#preferences(), signal: run.signal });
    } finally {
      this.#isApplying = false;
    }
  }

  /** Stores what the agent changes of the session by itself. */
  note(update: SessionUpdate, run: Run, session: AgentSession | undefined): Promise<void> | undefined {
    if (update.sessionUpdate === 'session_info_update') {
      const { title } = update;
      return typeof title === 'string' && title !== '' ? change(run, { title }) : undefined;
    }
    // While we set them, the agent reports what it was sent, and not yet all of it.
    if (!changesSettings(update) || session === undefined || this.#isApplying) return undefined;
    const values = changedValues(update, settingsOf(session));
    const options = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => run.options[name] !== value),
    );
    return Object.keys(options).length === 0 ? undefined : change(run, { options });
  }
}

async function change(run: Run, changed: AapSessionChange): Promise<void> {
  try {
    await run.updateSession(changed);
    if (changed.options !== undefined) await run.extension('options', { options: changed.options });
  } catch {
    // The session or its store no longer exists: all later events report it.
  }
}

import type { PromptResult } from '../../agent-session/agent-session.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';

/** What the event log says of a prompt: how its turn ended, or that its result is not known. */
export type TurnOutcome = PromptResult | 'running' | 'unknown';

/** Prompts whose outcome is remembered: one that is sent again, by its id, has no second turn. */
const mostOutcomes = 1000;

/** The outcomes of prompts that have a turn in the event log, or were sent into one. */
export class TurnOutcomes {
  readonly #outcomes = new Map<string, TurnOutcome>();
  /** The ids of texts that the event log has as sent into a turn, without an outcome. */
  readonly #steering = new Set<string>();
  readonly #onOutcome: (promptId: string) => void;
  /** The prompt of the turn that the event log is at. */
  #running: string | undefined;

  constructor(onOutcome: (promptId: string) => void) {
    this.#onOutcome = onOutcome;
  }

  get(promptId: string): TurnOutcome | undefined {
    return this.#outcomes.get(promptId);
  }

  /** Takes an event of the log, from its beginning on. */
  take(event: LoggedEvent): void {
    switch (event.type) {
      case 'turn-start':
        this.#running = event.promptId;
        this.#note(this.#running, 'running');
        break;
      case 'turn-end':
        this.#note(this.#running, 'error' in event ? 'unknown' : { stopReason: event.stopReason });
        this.#running = undefined;
        break;
      case 'steering-request':
        this.#steering.add(event.promptId);
        break;
      case 'steering':
        this.#steering.delete(event.promptId);
        if (event.outcome !== 'queued') this.#note(event.promptId, { stopReason: 'end_turn' });
        break;
      case 'interruption':
        for (const promptId of this.#steering) this.#note(promptId, { stopReason: 'end_turn' });
        this.#steering.clear();
        this.#note(this.#running, 'unknown');
        this.#running = undefined;
        break;
      default:
        break;
    }
  }

  #note(promptId: string | undefined, outcome: TurnOutcome): void {
    if (promptId === undefined) return;
    this.#outcomes.delete(promptId);
    this.#outcomes.set(promptId, outcome);
    const [oldest] = this.#outcomes.keys();
    if (oldest !== undefined && this.#outcomes.size > mostOutcomes) this.#outcomes.delete(oldest);
    this.#onOutcome(promptId);
  }
}

import type { AgentRestart, HubSession, HubSessionState } from '../hub/hub-session.ts';

/** Where a session that is steered from here stands, as lists show it. */
export class SessionStatus {
  #state: HubSessionState = 'kept';
  #failure: string | undefined;
  #restart: AgentRestart | undefined;
  #waitsBehind: number | undefined;
  #updatedAt: number;

  constructor(updatedAt: number) {
    this.#updatedAt = updatedAt;
  }

  get state(): HubSessionState {
    return this.#state;
  }

  get shown(): Pick<HubSession, 'state' | 'failure' | 'restart' | 'waitsBehind' | 'updatedAt'> {
    return {
      state: this.#state,
      ...(this.#failure !== undefined && { failure: this.#failure }),
      ...(this.#restart !== undefined && { restart: this.#restart }),
      ...(this.#waitsBehind !== undefined && { waitsBehind: this.#waitsBehind }),
      updatedAt: this.#updatedAt,
    };
  }

  become(state: HubSessionState, failure?: string): void {
    this.#state = state;
    this.#failure = failure;
    this.#waitsBehind = undefined;
    if (state !== 'starting') this.#restart = undefined;
    this.#updatedAt = Math.max(this.#updatedAt, Date.now());
  }

  /** Its agent cannot be started before those of so many other sessions. */
  waitBehind(ahead: number): void {
    this.#waitsBehind = ahead;
  }

  /** Its agent ended by itself, and is started again after a while. */
  restart(attempt: number, attempts: number, delayMs: number): void {
    this.#restart = { attempt, attempts, at: Date.now() + delayMs };
  }
}

import type { SessionIndex, SessionStore } from '@parley/host';
import type { SteeredSessions } from './steered-sessions.ts';

/** Sessions at rest whose event logs another program has removed: they are forgotten here too. */
export class RemovedSessions {
  readonly #hub: { readonly store: SessionStore; readonly steered: SteeredSessions };
  readonly #drop: (key: string) => void;
  #stored: SessionIndex | undefined;
  #looking: Promise<unknown> = Promise.resolve();

  /** @param drop Forgets a session. */
  constructor(
    hub: { readonly store: SessionStore; readonly steered: SteeredSessions },
    drop: (key: string) => void,
  ) {
    this.#hub = hub;
    this.#drop = drop;
  }

  /** Opens the index in which they are missed. */
  index(onChange: (key: string) => void): SessionIndex {
    this.#stored = this.#hub.store.index((key) => {
      onChange(key);
      this.#check(key);
    });
    return this.#stored;
  }

  /** Checks all sessions that were written here: some were removed before the index saw them. Never rejects. */
  async look(): Promise<void> {
    for (const [key, { appendedBytes }] of this.#hub.steered.all) if (appendedBytes > 0) this.#check(key);
    await this.#looking;
  }

  #check(key: string): void {
    if (!this.#isMissing(key)) return;
    this.#looking = Promise.all([this.#looking, this.#lookAt(key)]);
  }

  /** What cannot be read stays. */
  async #lookAt(key: string): Promise<void> {
    const head = await this.#hub.store.head(key).catch(() => 'unreadable');
    if (head === undefined && this.#isMissing(key)) this.#drop(key);
  }

  #isMissing(key: string): boolean {
    const { steered } = this.#hub;
    const isAtRest = steered.get(key) !== undefined && !steered.isActive(key);
    return isAtRest && this.#stored?.get(key) === undefined;
  }
}

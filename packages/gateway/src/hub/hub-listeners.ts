import type { TerminalText } from '@parley/host';
import type { SettledQuestion } from '@parley/host/hub';

/** A subscriber to what changes on the hub. */
export interface HubListener {
  session?(key: string): void;
  agents?(): void;
  /** Other questions wait; one may have been settled. */
  questions?(settled?: SettledQuestion): void;
  /** The user of a token has marked sessions. */
  marks?(tokenId: string): void;
  /** A client has ceased to look at the hub. */
  presence?(): void;
  /** The list of worktrees may be another. */
  worktrees?(): void;
  /** A machine of the hub joined, left, or does more or less. */
  machines?(): void;
  /** An agent wrote to standard error. */
  log?(key: string, text: string): void;
  /** A command wrote something. */
  terminal?(key: string, text: TerminalText): void;
}

/** All subscribers, notified as one. */
export class HubListeners {
  readonly #all = new Set<HubListener>();

  get size(): number {
    return this.#all.size;
  }

  add(listener: HubListener): void {
    this.#all.add(listener);
  }

  delete(listener: HubListener): void {
    this.#all.delete(listener);
  }

  session(key: string): void {
    for (const listener of this.#all) listener.session?.(key);
  }

  agents(): void {
    for (const listener of this.#all) listener.agents?.();
  }

  questions(settled?: SettledQuestion): void {
    for (const listener of this.#all) listener.questions?.(settled);
  }

  marks(tokenId: string): void {
    for (const listener of this.#all) listener.marks?.(tokenId);
  }

  presence(): void {
    for (const listener of this.#all) listener.presence?.();
  }

  worktrees(): void {
    for (const listener of this.#all) listener.worktrees?.();
  }

  machines(): void {
    for (const listener of this.#all) listener.machines?.();
  }

  log(key: string, text: string): void {
    for (const listener of this.#all) listener.log?.(key, text);
  }

  terminal(key: string, text: TerminalText): void {
    for (const listener of this.#all) listener.terminal?.(key, text);
  }
}

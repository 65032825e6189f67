import type { AapServerLimits } from '../limits.ts';
import { AapServerError } from '../server-error.ts';
import { checkedSizeOf } from './event-size.ts';
import type { LoggedTurnEvent } from './logged-turn-event.ts';

/** Events that an agent emits while no turn is running. They start the next turn. */
export class PausedEvents {
  readonly #limits: AapServerLimits;
  #events: LoggedTurnEvent[] = [];
  #chars = 0;
  #taken: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(limits: AapServerLimits) {
    this.#limits = limits;
  }

  /** @returns A promise when enough has come to wait for the next turn. */
  add(event: LoggedTurnEvent): void | Promise<void> {
    this.#chars += checkedSizeOf(event, this.#limits.eventDepth);
    if (this.#chars > this.#limits.maxWaitingChars) {
      throw new AapServerError('overloaded', 'the agent does not wait for the next turn');
    }
    this.#events.push(event);
    if (this.#chars <= this.#limits.waitingChars) return undefined;
    this.#taken ??= deferred();
    return this.#taken.promise;
  }

  /** All of it, oldest first. */
  take(): readonly LoggedTurnEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#chars = 0;
    this.#taken?.resolve();
    this.#taken = undefined;
    return events;
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

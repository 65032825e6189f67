import type { LoggedEvent } from '../event/logged-event.ts';
import { mayTitle, reduceFacts } from './reduce-facts.ts';
import { noFacts, type SessionFacts } from './session-facts.ts';

/**
 * Reduces events to facts. Most events are updates that only change the last number and time: of several in a row,
 * only the last one is reduced.
 */
export class FactReader {
  #facts = noFacts;
  /** Not reduced yet. */
  #last: LoggedEvent | undefined;

  /** The facts after the last event. */
  get facts(): SessionFacts {
    if (this.#last !== undefined) this.#facts = reduceFacts(this.#facts, this.#last);
    this.#last = undefined;
    return this.#facts;
  }

  /**
   * Applies the next event. The first event of an event log resets the facts, because an event log that is opened
   * again is read from its beginning.
   */
  take(event: LoggedEvent): void {
    if (event.type === 'update' && event.seq > 1 && !mayTitle(event)) {
      this.#last = event;
      return;
    }
    this.#facts = reduceFacts(event.seq === 1 ? noFacts : this.facts, event);
    this.#last = undefined;
  }
}

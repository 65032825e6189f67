import type { LoggedEvent } from '@parley/host';
import { FactReader, titleOf } from '@parley/host/records';
import type { ChangedHead } from './appender.ts';

/** What lists show of a session, taken from its events as they come. */
export class HeadNotes {
  readonly #reader = new FactReader();
  #noted: ChangedHead = {};
  #sessionId: string | undefined;
  #title: string | undefined;

  note(event: LoggedEvent): void {
    if (event.type === 'journal-start') this.#noted = { ...this.#noted, start: JSON.stringify(event) };
    if (event.type === 'aap' && 'head' in event) {
      this.#noted = { ...this.#noted, applicationHead: JSON.stringify(event.head) };
    }
    if (event.type === 'session' && this.#sessionId === undefined) {
      this.#sessionId = event.sessionId;
      this.#noted = { ...this.#noted, sessionId: event.sessionId };
    }
    this.#reader.take(event);
  }

  take(): ChangedHead {
    const title = titleOf(this.#reader.facts);
    const noted = this.#noted;
    this.#noted = {};
    if (title === undefined || title === this.#title) return noted;
    this.#title = title;
    return { ...noted, title };
  }
}

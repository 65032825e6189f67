import { messageOf, type Log } from './log.ts';

/** What is closed with a server, last opened first. */
export class Closing {
  readonly #log: Log;
  readonly #ends: (() => Promise<void> | void)[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  add(end: () => Promise<void> | void): void {
    this.#ends.push(end);
  }

  /** Closes one resource. If that fails, it is logged, and the others are closed all the same. */
  async attempt(end: () => Promise<void> | void): Promise<void> {
    try {
      await end();
    } catch (error) {
      this.#log.error('a resource could not be closed', { error: messageOf(error) });
    }
  }

  /** Closes all that was added. */
  async all(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await this.attempt(end);
  }
}

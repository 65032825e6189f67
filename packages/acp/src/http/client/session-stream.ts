import type { Clock } from '@parley/wire';

/** The stream of one session, on the client's side. */
export class SessionStream {
  readonly abort: AbortController = new AbortController();
  /** Settles when the server has opened it; rejects when it did not. */
  readonly opened: Promise<void>;
  /** Settles when it has ended, for any reason. */
  readonly ended: Promise<void>;
  #mark = 0;
  #heard = 0;
  #waiters: { readonly mark: number; readonly resolve: () => void }[] = [];

  /** @param read Opens and reads it; calls back when it is open. */
  constructor(read: (stream: SessionStream, onOpen: () => void) => Promise<void>) {
    let onOpen = (): void => {};
    let onFail = (_error: unknown): void => {};
    this.opened = new Promise<void>((resolve, reject) => {
      onOpen = resolve;
      onFail = reject;
    });
    this.opened.catch(() => {
      // Reported to the callers that wait for it, if any do.
    });
    this.ended = read(this, onOpen).then(
      () => this.#end(onFail, new Error('the stream ended before it was open')),
      (error: unknown) => this.#end(onFail, error),
    );
  }

  /** Something was read and handed on. */
  heard(mark: number | undefined): void {
    this.#heard++;
    if (mark !== undefined) this.#mark = Math.max(this.#mark, mark);
    const reached = this.#waiters.filter((waiter) => waiter.mark <= this.#mark);
    this.#waiters = this.#waiters.filter((waiter) => waiter.mark > this.#mark);
    for (const { resolve } of reached) resolve();
  }

  /** Settles when everything in front of a mark was handed on. */
  reached(mark: number): Promise<void> {
    if (mark <= this.#mark) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ mark, resolve }));
  }

  /** Settles when nothing was read for a while. */
  async quiet(ms: number, clock: Clock): Promise<void> {
    for (let before = -1; before !== this.#heard;) {
      before = this.#heard;
      await new Promise<void>((resolve) => clock.after(ms, resolve));
    }
  }

  #end(onFail: (error: unknown) => void, error: unknown): void {
    onFail(error);
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }
}

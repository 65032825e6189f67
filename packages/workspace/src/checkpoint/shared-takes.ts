import { WorkspaceError } from '../error.ts';

/**
 * Runs takes one after another. Requests during a take share the next one, because the running one started before
 * them.
 */
export class SharedTakes<Result> {
  readonly #take: (signal: AbortSignal, moment: Moment) => Promise<Result>;
  #running: Promise<unknown> = Promise.resolve();
  #next: SharedTake<Result> | undefined;

  constructor(take: (signal: AbortSignal, moment: Moment) => Promise<Result>) {
    this.#take = take;
  }

  /**
   * Aborting ends the wait; the take itself ends when each request for it was aborted.
   *
   * @param moment The moment that the request is for, once it has come. The first one of all requests counts.
   */
  async request(signal?: AbortSignal, moment?: Moment): Promise<Result> {
    this.#next ??= this.#plan();
    const shared = this.#next;
    shared.waiting += 1;
    if (moment !== undefined) shared.moments.push(moment);
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      abort = () =>
        reject(new WorkspaceError('aborted', 'take a checkpoint: aborted', { cause: signal?.reason }));
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([shared.result, aborted]);
    } finally {
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.controller.abort();
        if (this.#next === shared) this.#next = undefined;
      }
    }
  }

  /** Settles when no take runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #plan(): SharedTake<Result> {
    const controller = new AbortController();
    const result = this.#running.then(async () => {
      if (this.#next === shared) this.#next = undefined;
      return await this.#take(controller.signal, () => earliest(shared.moments));
    });
    this.#running = result.then(
      () => undefined,
      () => undefined,
    );
    const shared: SharedTake<Result> = { controller, result, moments: [], waiting: 0 };
    return shared;
  }
}

/** Milliseconds since 1970; undefined until then. */
type Moment = () => number | undefined;

function earliest(moments: readonly Moment[]): number | undefined {
  const come = moments.map((moment) => moment()).filter((time) => time !== undefined);
  return come.length === 0 ? undefined : Math.min(...come);
}

interface SharedTake<Result> {
  readonly controller: AbortController;
  readonly result: Promise<Result>;
  readonly moments: Moment[];
  /** Requests that were not aborted. */
  waiting: number;
}

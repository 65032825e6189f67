import { WireError } from '../wire-error.ts';
import type { Lanes } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { SentRequests } from './sent-requests.ts';

interface Pause {
  readonly promise: Promise<void>;
  readonly resume: () => void;
}

/** How fast a connection reads: as fast as its handlers take what came. */
export class Intake {
  readonly #limits: Limits;
  readonly #lanes: Lanes;
  readonly #sent: SentRequests;
  #pause: Pause | undefined;

  constructor(limits: Limits, lanes: Lanes, sent: SentRequests) {
    this.#limits = limits;
    this.#lanes = lanes;
    this.#sent = sent;
  }

  /** After a batch: a promise when reading must wait, settled when the handlers have caught up. */
  pauseIfBehind(): void | Promise<void> {
    if (this.#pause !== undefined) return this.#pause.promise;
    if (!this.#isBehind(1)) return undefined;
    if (this.#sent.hasNested()) {
      if (!this.#isBehind(overrun)) return undefined;
      this.#sent.failNested(`no longer waiting: ${this.#waiting()}`);
    }
    let resume = (): void => {};
    const promise = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.#pause = { promise, resume };
    return promise;
  }

  /**
   * Before a request: a handler that asks while reading is paused would wait for an answer that is never read, so
   * reading continues. Beyond the last bound, the request is rejected instead.
   */
  resumeFor(method: string): WireError | undefined {
    if (this.#pause === undefined) return undefined;
    if (this.#isBehind(overrun)) {
      return new WireError('overloaded', `${method}: ${this.#waiting()}`, { method });
    }
    this.resume();
    return undefined;
  }

  /** A handler is done. */
  onProgress(): void {
    if (this.#pause !== undefined && !this.#isBehind(0.5)) this.resume();
  }

  resume(): void {
    const pause = this.#pause;
    this.#pause = undefined;
    pause?.resume();
  }

  #isBehind(factor: number): boolean {
    const { queuedMessages, queuedBytes } = this.#limits;
    return (
      this.#lanes.queuedSteps > queuedMessages * factor || this.#lanes.queuedBytes > queuedBytes * factor
    );
  }

  #waiting(): string {
    return `${this.#lanes.queuedSteps} messages wait for their handlers`;
  }
}

/** How many times the bound the queue may grow while a handler waits for an answer that is still to be read. */
const overrun = 16;

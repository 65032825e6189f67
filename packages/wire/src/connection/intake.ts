import type { CloseReason, IncomingBatch, Receiver } from '../transport.ts';
import { WireError } from '../wire-error.ts';
import type { Lanes } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { SentRequests } from './sent-requests.ts';

interface Pause {
  readonly promise: Promise<void>;
  readonly resume: () => void;
}

/** The connection, as its intake sees it. */
export interface IntakeOwner {
  readonly limits: Limits;
  readonly lanes: Lanes;
  readonly sent: SentRequests;
  receive(batch: IncomingBatch, bytes: number): void | Promise<void>;
  end(reason: CloseReason): void;
}

/** What a transport delivers to, and how fast its connection reads: as fast as its handlers take what came. */
export class Intake implements Receiver {
  readonly #owner: IntakeOwner;
  #pause: Pause | undefined;

  constructor(owner: IntakeOwner) {
    this.#owner = owner;
  }

  receive(batch: IncomingBatch, bytes: number): void | Promise<void> {
    return this.#owner.receive(batch, bytes);
  }

  close(reason: CloseReason): void {
    this.#owner.end(reason);
  }

  /** After a batch: a promise when reading must wait, settled when the handlers have caught up. */
  pauseIfBehind(): void | Promise<void> {
    if (this.#pause !== undefined) return this.#pause.promise;
    if (!this.#isBehind(1)) return undefined;
    if (this.#owner.sent.hasNested()) {
      if (!this.#isBehind(overrun)) return undefined;
      this.#owner.sent.failNested(`no longer waiting: ${this.#waiting()}`);
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
    const { lanes, limits } = this.#owner;
    return (
      lanes.queuedSteps > limits.queuedMessages * factor || lanes.queuedBytes > limits.queuedBytes * factor
    );
  }

  #waiting(): string {
    return `${this.#owner.lanes.queuedSteps} messages wait for their handlers`;
  }
}

/** How many times the bound the queue may grow while a handler waits for an answer that is still to be read. */
const overrun = 16;

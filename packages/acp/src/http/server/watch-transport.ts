import type { CloseReason, OutgoingFrame, Receiver, Transport } from '@parley/wire';

/** What is done with what a transport brings. */
export interface WatchOptions {
  readonly map: (message: unknown) => unknown;
  /** It has ended, from either side. Called once. */
  readonly onEnd: () => void;
}

/** A transport that its watcher can end, too. */
export interface WatchedTransport extends Transport {
  /** Ends it as if the peer had done so. */
  end(reason: CloseReason): Promise<void>;
}

/** Observes what the user of a transport sends and receives. */
export function watchTransport(inner: Transport, options: WatchOptions): WatchedTransport {
  return new Watched(inner, options);
}

class Watched implements WatchedTransport {
  readonly #inner: Transport;
  readonly #options: WatchOptions;
  #receiver: Receiver | undefined;
  #isOver = false;

  constructor(inner: Transport, options: WatchOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#inner.start({
      receive: (batch, bytes) => receiver.receive(batch.map(this.#options.map), bytes),
      close: (reason) => this.#reportEnd(reason),
    });
  }

  send(batch: readonly OutgoingFrame[]): void | Promise<void> {
    return this.#inner.send(batch);
  }

  async close(reason: CloseReason): Promise<void> {
    this.#finish();
    await this.#inner.close(reason);
  }

  async end(reason: CloseReason): Promise<void> {
    this.#reportEnd(reason);
    await this.#inner.close(reason);
  }

  #reportEnd(reason: CloseReason): void {
    const receiver = this.#isOver ? undefined : this.#receiver;
    this.#finish();
    receiver?.close(reason);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onEnd();
  }
}

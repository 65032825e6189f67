import type { CloseReason, OutgoingFrame, Receiver, Transport } from './transport.ts';

/**
 * Creates two linked transports in one process. Messages are copied through JSON, so a peer in memory receives the
 * same as one behind a pipe.
 */
export function memoryPair(): [Transport, Transport] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.link(right);
  right.link(left);
  return [left, right];
}

class MemoryEnd implements Transport {
  #peer: MemoryEnd | undefined;
  #receiver: Receiver | undefined;
  #state: 'open' | 'peer-closed' | 'closed' = 'open';
  #isDelivering = false;
  #arrived: readonly OutgoingFrame[] = nothing;
  #waiting: (() => void)[] | undefined;

  link(peer: MemoryEnd): void {
    this.#peer = peer;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    void this.#deliver();
  }

  send(batch: readonly OutgoingFrame[]): void | Promise<void> {
    const peer = this.#peer;
    if (peer === undefined || this.#state !== 'open') {
      return Promise.reject(new Error('the other end is closed'));
    }
    return peer.#take(batch);
  }

  close(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    this.#state = 'closed';
    this.#arrived = nothing;
    this.#release();
    const peer = this.#peer;
    if (peer !== undefined) peer.#onPeerClosed();
    return Promise.resolve();
  }

  #take(batch: readonly OutgoingFrame[]): void | Promise<void> {
    const isBehind = this.#arrived.length > 0;
    this.#arrived = isBehind ? [...this.#arrived, ...batch] : batch;
    void this.#deliver();
    if (!isBehind) return undefined;
    return new Promise((resolve) => {
      this.#waiting ??= [];
      this.#waiting.push(resolve);
    });
  }

  #onPeerClosed(): void {
    if (this.#state !== 'open') return;
    this.#state = 'peer-closed';
    void this.#deliver();
  }

  async #deliver(): Promise<void> {
    if (this.#receiver === undefined || this.#isDelivering) return;
    this.#isDelivering = true;
    // Never from inside `send`: a peer's handler does not run in the middle of ours.
    await Promise.resolve();
    while (this.#arrived.length > 0) {
      const frames = this.#arrived;
      this.#arrived = nothing;
      this.#release();
      await this.#receiver.receive(...parseFrames(frames));
    }
    this.#isDelivering = false;
    if (this.#state === 'peer-closed') this.#end(this.#receiver);
  }

  #end(receiver: Receiver): void {
    const reason: CloseReason = { code: 'end-of-input', message: 'the other end closed' };
    this.#receiver = undefined;
    receiver.close(reason);
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) for (const resolve of waiting) resolve();
  }
}

/** Shared by ends that have handed on what arrived. */
const nothing: readonly OutgoingFrame[] = [];

function parseFrames(frames: readonly OutgoingFrame[]): [batch: unknown[], bytes: number] {
  const length = frames.reduce((sum, frame) => sum + frame.text.length, 0);
  return [frames.map((frame): unknown => JSON.parse(frame.text)), length];
}

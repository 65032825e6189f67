import type { Message } from '../message.ts';
import type { Clock } from '../time/clock.ts';
import type { Schedule } from '../time/schedule.ts';
import type { OutgoingFrame } from '../transport.ts';
import { WireError } from '../wire-error.ts';
import type { Limits } from './limits.ts';

/** What an outbox needs of its connection. */
export interface OutboxOptions {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly schedule: Schedule;
  send(batch: readonly OutgoingFrame[]): void | Promise<void>;
  /** Writing failed, or the peer stopped reading for too long. */
  fail(error: WireError): void;
}

interface Waiter {
  resolve(): void;
  reject(error: WireError): void;
}

/** What `push` returns while there is room: a promise that is settled. */
export const accepted: Promise<void> = Promise.resolve();

/**
 * Requests and responses in a tick after which they are written without waiting for its end, so that the peer can
 * start on them.
 */
const mostAwaited = 16;

/** Messages on their way to the transport: one write a tick as a rule, bounded when the peer is behind. */
export class Outbox {
  readonly #options: OutboxOptions;
  #frames: OutgoingFrame[] = [];
  #queuedLength = 0;
  /** How many of them a caller waits for. */
  #awaited = 0;
  #sendingLength = 0;
  #state: 'idle' | 'scheduled' | 'sending' | 'closed' = 'idle';
  readonly #waiters: Waiter[] = [];
  readonly #emptied: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Characters that have not left yet. */
  get unsent(): number {
    return this.#queuedLength + this.#sendingLength;
  }

  /** Whether another message would go over the hard bound. An empty outbox takes a message of any length. */
  isFull(length: number): boolean {
    const { unsent } = this;
    return unsent > 0 && unsent + length > this.#options.limits.unsentHard;
  }

  /** Takes a message. The promise is settled already while there is room. */
  push(text: string, message: Message): Promise<void> {
    if (this.#state === 'closed') return accepted;
    this.#frames.push({ text, message });
    this.#queuedLength += text.length + 1;
    if ('id' in message) this.#awaited += 1;
    const { unsentSoft } = this.#options.limits;
    if (this.#state !== 'sending') {
      if (this.#queuedLength >= unsentSoft || this.#awaited >= mostAwaited) this.#flush();
      else if (this.#state === 'idle') {
        this.#state = 'scheduled';
        this.#options.schedule(() => this.#onTick());
      }
    }
    if (this.unsent < unsentSoft) return accepted;
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Settles when everything taken so far has been handed over, or the outbox was closed. */
  emptied(): Promise<void> {
    if (this.#state === 'idle' || this.#state === 'closed') return accepted;
    return new Promise((resolve) => this.#emptied.push(resolve));
  }

  /** Hands over what is left, without waiting, and rejects every caller that waits for room. */
  close(error: WireError): void {
    if (this.#state === 'closed') return;
    if (this.#state !== 'sending' && this.#frames.length > 0) this.#flush();
    this.#state = 'closed';
    this.#frames = [];
    this.#queuedLength = 0;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
    for (const settle of this.#emptied.splice(0)) settle();
  }

  #onTick(): void {
    if (this.#state === 'scheduled') this.#flush();
  }

  #flush(): void {
    while (this.#frames.length > 0) {
      const batch = this.#frames;
      this.#frames = [];
      this.#awaited = 0;
      this.#sendingLength = this.#queuedLength;
      this.#queuedLength = 0;
      let sent: void | Promise<void>;
      try {
        sent = this.#options.send(batch);
      } catch (error) {
        return this.#fail(error);
      }
      if (sent !== undefined) return this.#wait(sent);
      this.#sendingLength = 0;
    }
    this.#state = 'idle';
    this.#releaseWaiters();
    if (this.#emptied.length > 0) for (const settle of this.#emptied.splice(0)) settle();
  }

  #wait(sent: Promise<void>): void {
    this.#state = 'sending';
    const { clock, limits, fail } = this.#options;
    const stopTimer = clock.after(limits.stallMs, () => {
      fail(
        new WireError(
          'stalled',
          `the peer read nothing for ${limits.stallMs} ms while ${this.unsent} characters waited`,
        ),
      );
    });
    sent.then(
      () => {
        stopTimer();
        this.#sendingLength = 0;
        if (this.#state !== 'sending') return;
        if (this.#queuedLength < limits.unsentSoft) this.#releaseWaiters();
        this.#flush();
      },
      (error: unknown) => {
        stopTimer();
        this.#fail(error);
      },
    );
  }

  #fail(error: unknown): void {
    if (this.#state === 'closed') return;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.fail(new WireError('closed', `writing failed: ${why}`, { cause: error }));
  }

  #releaseWaiters(): void {
    if (this.#waiters.length > 0) for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  }
}

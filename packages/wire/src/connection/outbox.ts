import type { Message } from '../message.ts';
import type { Clock } from '../time/clock.ts';
import { atEndOfTick } from '../time/schedule.ts';
import type { OutgoingFrame, Transport } from '../transport.ts';
import { WireError } from '../wire-error.ts';
import type { Limits } from './limits.ts';

/** The connection, as its outbox sees it. */
export interface OutboxOwner {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Writing failed, or the peer stopped reading for too long. */
  fail(error: WireError): void;
}

/** Shared by outboxes that are empty: most idle ones. */
const nothing: OutgoingFrame[] = [];

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
  readonly #owner: OutboxOwner;
  #frames: OutgoingFrame[] = nothing;
  #queuedLength = 0;
  /** How many of them a caller waits for. */
  #awaited = 0;
  #sendingLength = 0;
  #state: 'idle' | 'scheduled' | 'sending' | 'closed' = 'idle';
  #waiters: Waiter[] | undefined;
  #emptied: (() => void)[] | undefined;

  constructor(owner: OutboxOwner) {
    this.#owner = owner;
  }

  /** Characters that have not left yet. */
  get unsent(): number {
    return this.#queuedLength + this.#sendingLength;
  }

  /** Whether another message would go over the hard bound. An empty outbox takes a message of any length. */
  isFull(length: number): boolean {
    const { unsent } = this;
    return unsent > 0 && unsent + length > this.#owner.limits.unsentHard;
  }

  /** Takes a message. The promise is settled already while there is room. */
  push(text: string, message: Message): Promise<void> {
    if (this.#state === 'closed') return accepted;
    if (this.#frames === nothing) this.#frames = [];
    this.#frames.push({ text, message });
    this.#queuedLength += text.length + 1;
    if ('id' in message) this.#awaited += 1;
    const { unsentSoft } = this.#owner.limits;
    if (this.#state !== 'sending') {
      if (this.#queuedLength >= unsentSoft || this.#awaited >= mostAwaited) this.#flush();
      else if (this.#state === 'idle') {
        this.#state = 'scheduled';
        atEndOfTick(() => this.#onTick());
      }
    }
    if (this.unsent < unsentSoft) return accepted;
    return new Promise((resolve, reject) => {
      this.#waiters ??= [];
      this.#waiters.push({ resolve, reject });
    });
  }

  /** Settles when everything taken so far has been handed over, or the outbox was closed. */
  emptied(): Promise<void> {
    if (this.#state === 'idle' || this.#state === 'closed') return accepted;
    return new Promise((resolve) => {
      this.#emptied ??= [];
      this.#emptied.push(resolve);
    });
  }

  /** Hands over what is left, without waiting, and rejects every caller that waits for room. */
  close(error: WireError): void {
    if (this.#state === 'closed') return;
    if (this.#state !== 'sending' && this.#frames.length > 0) this.#flush();
    this.#state = 'closed';
    this.#frames = nothing;
    this.#queuedLength = 0;
    const waiters = this.#waiters ?? [];
    this.#waiters = undefined;
    for (const waiter of waiters) waiter.reject(error);
    this.#settleEmptied();
  }

  #onTick(): void {
    if (this.#state === 'scheduled') this.#flush();
  }

  #flush(): void {
    while (this.#frames.length > 0) {
      const batch = this.#frames;
      this.#frames = nothing;
      this.#awaited = 0;
      this.#sendingLength = this.#queuedLength;
      this.#queuedLength = 0;
      let sent: void | Promise<void>;
      try {
        sent = this.#owner.transport.send(batch);
      } catch (error) {
        return this.#fail(error);
      }
      if (sent !== undefined) return this.#wait(sent);
      this.#sendingLength = 0;
    }
    this.#state = 'idle';
    this.#releaseWaiters();
    this.#settleEmptied();
  }

  #wait(sent: Promise<void>): void {
    this.#state = 'sending';
    const { clock, limits } = this.#owner;
    const stopTimer = clock.after(limits.stallMs, () => {
      this.#owner.fail(
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
    this.#owner.fail(new WireError('closed', `writing failed: ${why}`, { cause: error }));
  }

  #releaseWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = undefined;
    if (waiters !== undefined) for (const waiter of waiters) waiter.resolve();
  }

  #settleEmptied(): void {
    const emptied = this.#emptied;
    this.#emptied = undefined;
    if (emptied !== undefined) for (const settle of emptied) settle();
  }
}

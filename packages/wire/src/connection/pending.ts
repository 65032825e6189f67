import type { RpcErrorObject } from '../message.ts';
import { RpcError, rpcCodes } from '../rpc-error.ts';
import type { Deadline, Expiry } from '../time/deadline.ts';
import { WireError } from '../wire-error.ts';
import type { AbortListener, AbortWatch } from './abort-watch.ts';
import type { LaneKey } from './lanes.ts';

/** Options of one request. */
export interface RequestOptions<T = unknown> {
  /** Aborting sends `$/cancel_request` and immediately rejects with an RpcError -32800. */
  readonly signal?: AbortSignal;
  /** Aborting sends `$/cancel_request`, but the request still settles with the peer's response. */
  readonly withdrawal?: AbortSignal;
  /** Time limit for the whole request, in milliseconds. @default the connection's `requestTimeoutMs` */
  readonly timeoutMs?: number;
  /**
   * Limit for silence of the peer in the request's lane, in milliseconds. @default the connection's `idleTimeoutMs`
   */
  readonly idleTimeoutMs?: number;
  /** Replaces both limits: a deadline that can be paused. */
  readonly deadline?: Deadline;
  /** Converts the result before any later message is processed. Throwing rejects the request. */
  readonly read?: (result: unknown) => T;
}

/** How a request ended. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcErrorObject }
  | { readonly kind: 'failed'; readonly error: Error };

/** What makes a pending request. */
export interface PendingOptions<T> {
  readonly id: number;
  readonly method: string;
  readonly lane: LaneKey;
  readonly sentAt: number;
  readonly deadline: Deadline | undefined;
  readonly signal: AbortSignal | undefined;
  readonly withdrawal: AbortSignal | undefined;
  readonly read: (result: unknown) => T;
  readonly owner: PendingOwner;
}

/** Who keeps a pending request. */
export interface PendingOwner {
  /** Listens to the signals of all requests. */
  readonly aborts: AbortWatch;
  /** The caller wants the request to end, and waits for its answer. */
  withdraw(pending: Pending): void;
  /** The caller stopped waiting. Called before the promise settles. */
  abandon(pending: Pending, why: AbandonReason): void;
}

/** Why a caller does not wait any longer: it changed its mind, or the answer took too long or could not be taken. */
export type AbandonReason = 'cancelled' | 'failed';

/** A request that was sent and is not settled yet. */
export interface Pending {
  readonly id: number;
  readonly method: string;
  readonly lane: LaneKey;
  /** The lanes' moment at which it was sent. */
  readonly sentAt: number;
  readonly deadline: Deadline | undefined;
  /** Gives the caller the outcome. The first one counts. */
  settle(outcome: Outcome): void;
}

/** A pending request and the promise that its caller waits for. Nothing settles that promise but `settle`. */
export class PendingRequest<T> implements Pending, AbortListener {
  readonly id: number;
  readonly method: string;
  readonly lane: LaneKey;
  readonly sentAt: number;
  readonly deadline: Deadline | undefined;
  /** What the caller waits for. */
  readonly promise: Promise<T>;
  watched: AbortListener['watched'];
  previous: AbortListener | undefined;
  next: AbortListener | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #withdrawal: Withdrawal | undefined;
  readonly #read: (result: unknown) => T;
  readonly #owner: PendingOwner;
  #resolve: (value: T) => void = ignore;
  #reject: (error: unknown) => void = ignore;
  #isSettled = false;

  constructor({ id, method, lane, sentAt, deadline, signal, withdrawal, read, owner }: PendingOptions<T>) {
    this.id = id;
    this.method = method;
    this.lane = lane;
    this.sentAt = sentAt;
    this.deadline = deadline;
    this.#signal = signal;
    this.#read = read;
    this.#owner = owner;
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (signal !== undefined) owner.aborts.add(signal, this);
    if (withdrawal !== undefined) {
      this.#withdrawal = new Withdrawal(this, owner);
      owner.aborts.add(withdrawal, this.#withdrawal);
    }
    deadline?.start((expiry) => this.#abandon('failed', expiredError(expiry, deadline, this)));
  }

  onAbort(): void {
    this.#abandon('cancelled', cancelledError(this.method, this.#signal));
  }

  settle(outcome: Outcome): void {
    if (this.#isSettled) return undefined;
    this.#isSettled = true;
    this.deadline?.stop();
    if (this.#signal !== undefined) this.#owner.aborts.delete(this);
    if (this.#withdrawal !== undefined) this.#owner.aborts.delete(this.#withdrawal);
    if (outcome.kind === 'failed') return this.#reject(outcome.error);
    if (outcome.kind === 'error') {
      const { code, message, data } = outcome.error;
      return this.#reject(new RpcError(code, message, data));
    }
    try {
      const read = this.#read;
      return this.#resolve(read(outcome.result));
    } catch (error) {
      return this.#reject(error);
    }
  }

  #abandon(why: AbandonReason, error: Error): void {
    if (this.#isSettled) return;
    this.#owner.abandon(this, why);
    this.settle({ kind: 'failed', error });
  }
}

/** Asks the peer to end a request whose caller waits all the same. */
class Withdrawal implements AbortListener {
  watched: AbortListener['watched'];
  previous: AbortListener | undefined;
  next: AbortListener | undefined;
  readonly #pending: Pending;
  readonly #owner: PendingOwner;

  constructor(pending: Pending, owner: PendingOwner) {
    this.#pending = pending;
    this.#owner = owner;
  }

  onAbort(): void {
    this.#owner.withdraw(this.#pending);
  }
}

/** The error of a request whose signal was aborted. */
export function cancelledError(method: string, signal: AbortSignal | undefined): RpcError {
  return new RpcError(rpcCodes.requestCancelled, `${method}: cancelled`, undefined, {
    cause: signal?.reason,
  });
}

function expiredError(expiry: Expiry, deadline: Deadline, { method, id }: Pending): WireError {
  const message =
    expiry === 'timeout'
      ? `${method}: no answer in ${deadline.timeoutMs} ms`
      : `${method}: nothing heard from the peer for ${deadline.idleTimeoutMs} ms`;
  return new WireError(expiry, message, { method, id });
}

function ignore(): void {
  // Replaced before it can be called.
}

import type { RpcErrorObject } from '../message.ts';
import { RpcError, rpcCodes } from '../rpc-error.ts';
import type { Deadline, Expiry } from '../time/deadline.ts';
import { WireError } from '../wire-error.ts';
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
  /** Calls when a signal aborts. Returns what stops that. */
  watch(signal: AbortSignal, onAbort: () => void): () => void;
  /** The caller wants the request to end, and waits for its answer. */
  withdraw(pending: Pending): void;
  /** The caller stopped waiting. Called before the promise settles. */
  abandon(pending: Pending, why: AbandonReason): void;
}

/** Why a caller does not wait any longer: it changed its mind, or the answer took too long or could not be taken. */
export type AbandonReason = 'cancelled' | 'failed';

/** Makes a pending request and the promise its caller waits for. Nothing settles that promise but `settle`. */
export function openPending<T>(options: PendingOptions<T>): {
  readonly pending: Pending;
  readonly promise: Promise<T>;
} {
  const { id, method, lane, sentAt, deadline, signal, withdrawal, read, owner } = options;
  let resolve: (value: T) => void = ignore;
  let reject: (error: unknown) => void = ignore;
  const promise = new Promise<T>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  let isSettled = false;

  const settle = (outcome: Outcome): void => {
    if (isSettled) return;
    isSettled = true;
    deadline?.stop();
    stopWatching?.();
    stopWaiting?.();
    if (outcome.kind === 'failed') return reject(outcome.error);
    if (outcome.kind === 'error') {
      const { code, message, data } = outcome.error;
      return reject(new RpcError(code, message, data));
    }
    try {
      resolve(read(outcome.result));
    } catch (error) {
      reject(error);
    }
  };
  const pending: Pending = { id, method, lane, sentAt, deadline, settle };
  const abandon = (why: AbandonReason, error: Error): void => {
    if (isSettled) return;
    owner.abandon(pending, why);
    settle({ kind: 'failed', error });
  };
  const onAbort = (): void => abandon('cancelled', cancelledError(method, signal));

  const stopWatching = signal && owner.watch(signal, onAbort);
  const stopWaiting = withdrawal && owner.watch(withdrawal, () => owner.withdraw(pending));
  deadline?.start((expiry) => abandon('failed', expiredError(expiry, deadline, pending)));
  return { pending, promise };
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

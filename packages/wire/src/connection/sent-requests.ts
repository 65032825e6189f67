import type { RequestId } from '../message.ts';
import { rpcCodes } from '../rpc-error.ts';
import type { Deadline } from '../time/deadline.ts';
import { WireError } from '../wire-error.ts';
import { AbortWatch } from './abort-watch.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { LaneKey, Lanes } from './lanes.ts';
import {
  PendingRequest,
  type AbandonReason,
  type Outcome,
  type Pending,
  type PendingOwner,
  type RequestOptions,
} from './pending.ts';

/** What our requests need of their connection. */
export interface SentRequestsOwner {
  readonly lanes: Lanes;
  /** Notifies the peer that the answer is no longer needed. */
  cancel(id: number): void;
  diagnose(diagnostic: Diagnostic): void;
}

/** Our requests that are not settled yet: each is settled exactly once, in the order of its lane. */
export class SentRequests implements PendingOwner {
  readonly #owner: SentRequestsOwner;
  #pending: Map<RequestId, Pending> = noPending;
  /** Abandoned requests, and whether the peer is at fault. Made with the first: few connections have any. */
  #abandoned: Map<RequestId, AbandonReason> | undefined;
  #aborts: AbortWatch | undefined;
  #lastId = 0;
  #withIdleLimit = 0;

  constructor(owner: SentRequestsOwner) {
    this.#owner = owner;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Whether `touch` has anything to do. */
  get watchesIdle(): boolean {
    return this.#withIdleLimit > 0;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  /** Opens a request. Returns what its caller waits for. */
  open<T>(
    id: number,
    method: string,
    lane: LaneKey,
    read: (result: unknown) => T,
    { signal, withdrawal }: RequestOptions<T>,
    deadline: Deadline | undefined,
  ): Promise<T> {
    const sentAt = this.#owner.lanes.moment;
    const pending = new PendingRequest<T>({
      id,
      method,
      lane,
      sentAt,
      deadline,
      signal,
      withdrawal,
      read,
      owner: this,
    });
    if (this.#pending === noPending) this.#pending = new Map();
    this.#pending.set(id, pending);
    if (hasIdleLimit(pending)) this.#withIdleLimit++;
    return pending.promise;
  }

  /** An answer came. */
  answer(id: RequestId, outcome: Outcome): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return this.#onStray(id);
    this.#remove(pending);
    this.#release(pending, outcome);
  }

  /**
   * An error with id null came. A parse error is about the last message we wrote; if that is the only open request, it
   * will not get another answer. Any other error had a message with an id, or a notification: it decides no request.
   *
   * @param lastWritten The id of the request that was written last, unless something else was written since.
   */
  answerUncorrelated(code: number, lastWritten: RequestId | undefined): void {
    const message = `the peer answered error ${code} to something it could not read`;
    this.#owner.diagnose({ code: 'uncorrelated-error', message });
    const isAboutLast = code === rpcCodes.parseError && this.#pending.size === 1;
    const pending = isAboutLast && lastWritten !== undefined ? this.#pending.get(lastWritten) : undefined;
    if (pending === undefined) return;
    this.#remove(pending);
    const { method, id } = pending;
    const error = new WireError('invalid-message', `${method}: the peer could not read it (${code})`, {
      method,
      id,
    });
    this.#release(pending, { kind: 'failed', error });
  }

  get aborts(): AbortWatch {
    this.#aborts ??= new AbortWatch();
    return this.#aborts;
  }

  withdraw(pending: Pending): void {
    if (this.#pending.has(pending.id)) this.#owner.cancel(pending.id);
  }

  /** The caller stopped waiting: an answer that still comes is ignored. */
  abandon(pending: Pending, why: AbandonReason): void {
    if (!this.#pending.has(pending.id)) return;
    this.#remove(pending);
    this.#abandoned ??= new Map();
    this.#abandoned.set(pending.id, why);
    if (this.#abandoned.size > abandonedLimit) {
      const [oldest] = this.#abandoned.keys();
      if (oldest !== undefined) this.#abandoned.delete(oldest);
    }
    this.#owner.cancel(pending.id);
  }

  /** Reports a message of the peer in a lane. */
  touch(lane: LaneKey): void {
    for (const pending of this.#pending.values()) {
      if (pending.lane === undefined || pending.lane === lane) pending.deadline?.touch();
    }
  }

  /** Whether a request was sent while a handler ran that still runs: it may be waiting for the answer. */
  hasNested(): boolean {
    for (const pending of this.#pending.values()) {
      if (this.#owner.lanes.isHeldSince(pending.sentAt)) return true;
    }
    return false;
  }

  /** Fails those requests, so that the handlers can continue. */
  failNested(why: string): void {
    for (const pending of this.#pending.values()) {
      if (!this.#owner.lanes.isHeldSince(pending.sentAt)) continue;
      const { method, id } = pending;
      this.abandon(pending, 'failed');
      pending.settle({
        kind: 'failed',
        error: new WireError('overloaded', `${method}: ${why}`, { method, id }),
      });
    }
  }

  /** Fails every request: behind what arrived before it, or at once. */
  failAll(toError: (pending: Pending) => WireError, isAtOnce: boolean): void {
    const pendings = [...this.#pending.values()];
    for (const pending of pendings) this.#remove(pending);
    for (const pending of pendings) {
      const outcome: Outcome = { kind: 'failed', error: toError(pending) };
      if (isAtOnce) pending.settle(outcome);
      else this.#release(pending, outcome);
    }
  }

  #release(pending: Pending, outcome: Outcome): void {
    const { lanes } = this.#owner;
    if (lanes.isFree) pending.settle(outcome);
    else lanes.answer(pending.lane, pending.sentAt, () => pending.settle(outcome));
  }

  #remove(pending: Pending): void {
    if (!this.#pending.delete(pending.id)) return;
    if (this.#pending.size === 0) this.#pending = noPending;
    if (hasIdleLimit(pending)) this.#withIdleLimit--;
  }

  #onStray(id: RequestId): void {
    const text = JSON.stringify(id);
    const why = this.#abandoned?.get(id);
    if (why !== undefined) {
      this.#abandoned?.delete(id);
      // The peer was notified of the cancellation, and has to answer all the same.
      if (why === 'cancelled') return undefined;
      const message = `the answer to request ${text} came after it was abandoned`;
      return this.#owner.diagnose({ code: 'late-answer', message, id });
    }
    this.#owner.diagnose({
      code: 'unknown-answer',
      message: `an answer to request ${text}, which is not open`,
      id,
    });
  }
}

/** Shared by connections on which no request is open: most idle ones. */
const noPending: Map<RequestId, Pending> = new Map();

/** Remembered abandoned requests, to distinguish a late response from an unknown one. */
const abandonedLimit = 1024;

function hasIdleLimit({ deadline }: Pending): boolean {
  return deadline !== undefined && deadline.idleTimeoutMs !== Number.POSITIVE_INFINITY;
}

import { FrameFault, faultWords } from '../framing/frame-fault.ts';
import { CallText } from '../framing/message-text.ts';
import { textsOf, type ParamTexts } from '../framing/repeated-notification.ts';
import {
  idOfInvalidRequest,
  isRequestId,
  parseMessage,
  type IncomingNotification,
  type Message,
  type RequestId,
} from '../message.ts';
import { rpcCodes } from '../rpc-error.ts';
import { atMost } from '../time/at-most.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { Deadline } from '../time/deadline.ts';
import type { CloseReason, IncomingBatch, Transport } from '../transport.ts';
import { WireError } from '../wire-error.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';
import { readFaultHead } from './fault-head.ts';
import { Intake, type IntakeOwner } from './intake.ts';
import { Lanes, type LaneKey, type LanesOwner } from './lanes.ts';
import { LazyAbort } from './lazy-abort.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { accepted, Outbox, type OutboxOwner } from './outbox.ts';
import { cancelledError, type RequestOptions } from './pending.ts';
import { SentRequests, type SentRequestsOwner } from './sent-requests.ts';
import { ServedRequests, type ServedRequestsOwner } from './served-requests.ts';

/** Opens a JSON-RPC connection over a transport. */
export function connect(transport: Transport, options: ConnectionOptions = {}): Connection {
  return new OpenConnection(transport, options);
}

type Phase =
  | { readonly phase: 'open' }
  | { readonly phase: 'ending'; readonly reason: CloseReason }
  | { readonly phase: 'closed'; readonly reason: CloseReason };

/** The phase of every connection until it ends. */
const open: Phase = { phase: 'open' };

/** A connection, also as its parts see it: they call it instead of closures of their own, which an idle one would keep. */
class OpenConnection implements ServedRequestsOwner, SentRequestsOwner, IntakeOwner, OutboxOwner, LanesOwner {
  readonly transport: Transport;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly handleRequest: ConnectionOptions['onRequest'];
  readonly lanes: Lanes;
  readonly sent: SentRequests;
  readonly #options: ConnectionOptions;
  readonly #handleNotification: ConnectionOptions['onNotification'];
  readonly #observe: ConnectionOptions['observe'];
  readonly #outbox: Outbox;
  readonly #served: ServedRequests;
  readonly #intake: Intake;
  readonly #text = new CallText();
  #abort: LazyAbort | undefined;
  /** Made when it is first asked for. */
  #closed: Promise<CloseReason> | undefined;
  #resolveClosed: ((reason: CloseReason) => void) | undefined;
  /** The reason, once the transport is closed as well. */
  #released: CloseReason | undefined;
  #phase: Phase = open;
  /** The request that was written last, unless something else was written since. */
  #lastWritten: RequestId | undefined;
  #onQuiet: (() => void) | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.transport = transport;
    this.#options = options;
    // Needed for each message: see docs/decisions/0049-rounds-and-reads.md.
    this.handleRequest = options.onRequest;
    this.#handleNotification = options.onNotification;
    this.#observe = options.observe;
    this.limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
    this.clock = options.clock ?? systemClock;
    this.lanes = new Lanes(this);
    this.#outbox = new Outbox(this);
    this.sent = new SentRequests(this);
    this.#served = new ServedRequests(this);
    this.#intake = new Intake(this);
    transport.start(this.#intake);
  }

  get signal(): AbortSignal {
    this.#abort ??= new LazyAbort();
    return this.#abort.signal;
  }

  get closed(): Promise<CloseReason> {
    this.#closed ??=
      this.#released === undefined
        ? new Promise((resolve) => {
            this.#resolveClosed = resolve;
          })
        : Promise.resolve(this.#released);
    return this.#closed;
  }

  request<T>(method: string, params?: unknown, options: RequestOptions<T> = {}): Promise<T> {
    // Without `read`, the caller vouches for the type of the result.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    const read = options.read ?? ((result: unknown) => result as T);
    const refusal = this.#whyNotAsk(method, options);
    if (refusal !== undefined) return Promise.reject(refusal);
    const id = this.sent.nextId();
    const message: Message =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    const text = this.#check(this.#text.request(id, method, params), method);
    if (text instanceof WireError) return Promise.reject(text);
    const deadline = this.#deadlineOf(options);
    const lane = this.#laneOf(method, params);
    const promise = this.sent.open<T>(id, method, lane, read, options, deadline);
    // What keeps a message from leaving ends the connection, and so settles the request.
    ignoreFailure(this.#write(text, message));
    return promise;
  }

  notify(method: string, params?: unknown): Promise<void> {
    if (this.#phase.phase === 'closed') return Promise.reject(this.#closedError(method, this.#phase.reason));
    const message: Message =
      params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
    const text = this.#check(this.#text.notification(method, params), method);
    if (text instanceof WireError) return Promise.reject(text);
    return this.#write(text, message);
  }

  async close(reason: CloseReason = { code: 'local', message: 'closed by this side' }): Promise<void> {
    if (this.#phase.phase === 'open') {
      if (reason.code === 'end-of-input') this.end(reason);
      else await this.#leave(reason);
    }
    await this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // What comes in

  receive(batch: IncomingBatch, bytes: number): void | Promise<void> {
    const share = bytes / batch.length;
    for (const value of batch) {
      if (this.#phase.phase === 'closed') return undefined;
      if (value instanceof FrameFault) this.#onFault(value);
      else this.#onMessage(value, share);
    }
    return this.#phase.phase === 'open' ? this.#intake.pauseIfBehind() : undefined;
  }

  #onMessage(value: unknown, bytes: number): void {
    this.#observe?.({ direction: 'in', time: wallClock(), message: value });
    const message = parseMessage(value);
    switch (message.kind) {
      case 'notification':
        if (message.method === '$/cancel_request') return this.#onCancelRequest(message.params);
        return this.#onNotification(message, bytes, textsOf(value));
      case 'request': {
        const { id, method, params } = message;
        const lane = this.#laneOf(method, params);
        if (this.sent.watchesIdle) this.sent.touch(lane);
        return this.#served.serve(lane, id, method, params, bytes);
      }
      case 'result':
        return this.sent.answer(message.id, message);
      case 'error':
        if (message.id === null) return this.sent.answerUncorrelated(message.error.code, this.#lastWritten);
        return this.sent.answer(message.id, message);
      case 'bad-answer': {
        const error = new WireError('invalid-message', `invalid response: ${message.why}`, {
          id: message.id,
        });
        return this.sent.answer(message.id, { kind: 'failed', error });
      }
      case 'invalid':
        this.diagnose({ code: 'invalid-message', message: message.why });
        if (!message.isRequest && this.#options.answerFaults === false) return undefined;
        return this.#served.refuse(
          this.#options.echoInvalidIds === true ? idOfInvalidRequest(value) : null,
          rpcCodes.invalidRequest,
          `Invalid request: ${message.why}`,
        );
    }
  }

  #onNotification({ method, params }: IncomingNotification, bytes: number, texts?: ParamTexts): void {
    if (this.sent.watchesIdle) this.sent.touch(this.#laneOf(method, params));
    if (this.lanes.isFree) {
      const since = this.lanes.begin();
      const running = this.#runNotification(method, params, texts);
      if (running !== undefined) this.lanes.hold(this.#laneOf(method, params), since, running);
      return;
    }
    const step = (): void | Promise<void> => this.#runNotification(method, params, texts);
    this.lanes.run(this.#laneOf(method, params), step, bytes);
  }

  #runNotification(method: string, params: unknown, texts: ParamTexts | undefined): void | Promise<void> {
    try {
      const handled = this.#handleNotification?.(method, params, this, texts);
      return handled?.catch((error: unknown) => this.#onHandlerError(method, error));
    } catch (error) {
      return this.#onHandlerError(method, error);
    }
  }

  #onHandlerError(method: string, error: unknown): void {
    this.diagnose({
      code: 'handler-failed',
      message: `${method}: the handler threw`,
      method,
      error,
    });
  }

  #onCancelRequest(params: unknown): void {
    const id =
      typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined;
    if (isRequestId(id)) this.#served.cancel(id);
  }

  #onFault(fault: FrameFault): void {
    this.#observe?.({ direction: 'in', time: wallClock(), fault });
    const { code, bytes, head } = fault;
    const diagnostic = {
      code,
      message: `skipped a frame of ${bytes} bytes: ${faultWords[code]}`,
      bytes,
      head,
    };
    this.diagnose(diagnostic);
    const lost = code === 'too-large' ? readFaultHead(head) : undefined;
    if (lost?.kind === 'answer') {
      const message = `request ${JSON.stringify(lost.id)}: the answer is longer than the transport takes`;
      return this.sent.answer(lost.id, {
        kind: 'failed',
        error: new WireError('too-large', message, { id: lost.id }),
      });
    }
    if (lost === undefined && (this.#options.answerFaults === false || code === 'truncated')) return;
    const rpcCode = code === 'too-large' ? rpcCodes.invalidRequest : rpcCodes.parseError;
    this.#served.refuse(lost?.id ?? null, rpcCode, `Parse error: ${faultWords[code]}`);
  }

  #laneOf(method: string, params: unknown): LaneKey {
    return this.#options.laneOf?.(method, params);
  }

  // What goes out

  #whyNotAsk<T>(method: string, { signal, deadline }: RequestOptions<T>): Error | undefined {
    if (this.#phase.phase !== 'open') return this.#closedError(method, this.#phase.reason);
    if (signal?.aborted === true) return cancelledError(method, signal);
    if (this.sent.size >= this.limits.outgoingRequests) {
      return new WireError('overloaded', `${method}: ${this.sent.size} requests are still open`, {
        method,
      });
    }
    if (deadline?.isNew === false) return new TypeError(`${method}: a Deadline is for one request`);
    return this.#intake.resumeFor(method);
  }

  #deadlineOf<T>({ deadline, timeoutMs, idleTimeoutMs }: RequestOptions<T>): Deadline | undefined {
    if (deadline !== undefined) return deadline;
    const timeout = timeoutMs ?? this.#options.requestTimeoutMs;
    const idle = idleTimeoutMs ?? this.#options.idleTimeoutMs;
    if (timeout === undefined && idle === undefined) return undefined;
    return new Deadline({
      clock: this.clock,
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(idle !== undefined && { idleTimeoutMs: idle }),
    });
  }

  #check(text: string | WireError, method: string): string | WireError {
    if (text instanceof WireError || !this.#outbox.isFull(text.length)) return text;
    return new WireError('overloaded', `${method}: ${this.#unsent()}`, { method });
  }

  #unsent(): string {
    return `${this.#outbox.unsent} characters wait for a peer that does not read`;
  }

  #write(text: string, message: Message): Promise<void> {
    this.#lastWritten = 'method' in message && 'id' in message ? message.id : undefined;
    this.#observe?.({ direction: 'out', time: wallClock(), message });
    return this.#outbox.push(text, message);
  }

  /** Writes without a caller that waits. A peer that sends requests but never reads is disconnected. */
  post(text: string, message: Message): void {
    if (this.#phase.phase === 'closed') return;
    if (this.#outbox.isFull(text.length)) return this.fail(new WireError('stalled', this.#unsent()));
    // Where it fails the connection has ended; the peer cannot get its answer.
    ignoreFailure(this.#write(text, message));
  }

  cancel(requestId: number): void {
    const message: Message = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } };
    this.post(JSON.stringify(message), message);
  }

  diagnose(diagnostic: Diagnostic): void {
    this.#options.onDiagnostic?.(diagnostic);
  }

  onAllAnswered(): void {
    this.#onQuiet?.();
  }

  onProgress(): void {
    this.#intake.onProgress();
    this.#onQuiet?.();
  }

  // The end

  async #leave(reason: CloseReason): Promise<void> {
    this.#phase = { phase: 'ending', reason };
    this.#abortAll(reason, true);
    await atMost(this.limits.endMs, this.clock, this.#outbox.emptied());
    this.#finish(reason);
  }

  /** The peer will say nothing more. What was received is still handled, and answered where that can be written. */
  end(reason: CloseReason): void {
    if (this.#phase.phase !== 'open') return;
    this.#phase = { phase: 'ending', reason };
    this.#intake.resume();
    this.#abortAll(reason, false);
    const done = this.#quiet().then(() => this.#outbox.emptied());
    void atMost(this.limits.endMs, this.clock, done).then(() => this.#finish(reason));
  }

  /** What was written cannot leave. */
  fail(error: WireError): void {
    if (this.#phase.phase === 'closed') return;
    // The transport has already reported why writing fails.
    const reason: CloseReason =
      this.#phase.phase === 'ending'
        ? this.#phase.reason
        : { code: error.code === 'stalled' ? 'stalled' : 'failed', message: error.message, error };
    this.#abortAll(reason, false);
    this.#finish(reason);
  }

  #abortAll(reason: CloseReason, isAtOnce: boolean): void {
    const error = this.#closedError('connection', reason);
    this.#abort ??= new LazyAbort();
    this.#abort.abort(error);
    this.sent.failAll(({ method, id }) => this.#closedError(method, reason, id), isAtOnce);
    this.#served.abortAll(error);
  }

  #finish(reason: CloseReason): void {
    if (this.#phase.phase === 'closed') return;
    this.#phase = { phase: 'closed', reason };
    this.#onQuiet = undefined;
    this.#intake.resume();
    const dropped = this.lanes.clear();
    if (dropped > 0) {
      const message = `${dropped} messages were not handled: the connection closed`;
      this.diagnose({ code: 'dropped', message });
    }
    this.#served.clear();
    const code = reason.code === 'stalled' ? 'stalled' : 'closed';
    this.#outbox.close(new WireError(code, `not sent: ${reason.message}`, { cause: reason.error }));
    void this.transport.close(reason).then(() => {
      this.#released = reason;
      this.#resolveClosed?.(reason);
    });
  }

  /** Settles when every handler is done and every answer was given. */
  #quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#onQuiet = () => {
        if (this.lanes.isFree && this.#served.size === 0) resolve();
      };
      this.#onQuiet();
    });
  }

  #closedError(method: string, reason: CloseReason, id?: RequestId): WireError {
    const message = `${method}: the connection is closed: ${reason.message}`;
    return new WireError('closed', message, { method, cause: reason.error, ...(id !== undefined && { id }) });
  }
}

function ignoreFailure(written: Promise<void>): void {
  if (written !== accepted) written.catch(() => {});
}

function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

import { toResultText } from '../framing/message-text.ts';
import type { Message, RequestId } from '../message.ts';
import { RpcError, rpcCodes } from '../rpc-error.ts';
import { shorten } from '../shorten.ts';
import type { Connection } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { LaneKey, Lanes } from './lanes.ts';
import { LazyAbort } from './lazy-abort.ts';
import type { Limits } from './limits.ts';

/** The context that a request handler receives. */
export interface RequestContext {
  readonly id: RequestId;
  readonly method: string;
  /** Aborted when the peer cancels the request, and when the connection closes. */
  readonly signal: AbortSignal;
  readonly connection: Connection;
  /**
   * Runs a function directly after the result was written: messages that it sends follow the result. Not called if
   * the request is rejected.
   */
  afterAnswer(run: () => void | Promise<void>): void;
}

/** Handles a request: returns its result, or throws an RpcError. */
export type RequestHandler = (method: string, params: unknown, context: RequestContext) => unknown;

/** The connection, as the peer's requests see it. */
export interface ServedRequestsOwner extends Connection {
  readonly lanes: Lanes;
  readonly limits: Limits;
  readonly handleRequest: RequestHandler | undefined;
  /** Writes an answer. */
  post(text: string, message: Message): void;
  diagnose(diagnostic: Diagnostic): void;
  /** An answer was given, and no other is owed. */
  onAllAnswered(): void;
}

/** The peer's requests that are not answered yet: each is answered exactly once. */
export class ServedRequests {
  readonly #owner: ServedRequestsOwner;
  #open: Map<RequestId, ServedRequest> = noneOpen;
  #abortReason: Error | undefined;

  constructor(owner: ServedRequestsOwner) {
    this.#owner = owner;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A request came. */
  serve(lane: LaneKey, id: RequestId, method: string, params: unknown, bytes: number): void {
    const why = this.#whyNot(id, method);
    if (why !== undefined) return this.refuse(id, why.code, why.message);
    const request = new ServedRequest(id, method, this.#owner);
    if (this.#abortReason !== undefined) request.abort(this.#abortReason);
    if (this.#open === noneOpen) this.#open = new Map();
    this.#open.set(id, request);
    const { lanes } = this.#owner;
    if (lanes.isHeld(lane)) return lanes.run(lane, () => this.#run(request, params), bytes);
    lanes.begin();
    return this.#run(request, params);
  }

  /** The peer sent `$/cancel_request`. */
  cancel(id: RequestId): void {
    this.#open.get(id)?.cancel();
  }

  /** Answers what never became a request. */
  refuse(id: RequestId, code: number, message: string): void {
    this.#post({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Aborts every handler, now and later: its answer is no longer needed. */
  abortAll(reason: Error): void {
    this.#abortReason = reason;
    for (const request of this.#open.values()) request.abort(reason);
  }

  /** Forgets them: answers that come now go nowhere. */
  clear(): void {
    this.#open = noneOpen;
  }

  #whyNot(id: RequestId, method: string): { readonly code: number; readonly message: string } | undefined {
    if (this.#open.has(id)) {
      const message = `request ${JSON.stringify(id)} is not answered yet`;
      this.#owner.diagnose({ code: 'duplicate-id', message: `${method}: ${message}`, method, id });
      return { code: rpcCodes.invalidRequest, message };
    }
    if (this.#open.size < this.#owner.limits.incomingRequests) return undefined;
    const message = `${this.#open.size} requests are not answered yet`;
    this.#owner.diagnose({ code: 'overloaded', message: `${method}: ${message}`, method, id });
    return { code: rpcCodes.internalError, message };
  }

  #run(request: ServedRequest, params: unknown): void {
    const { handleRequest } = this.#owner;
    let answer: unknown;
    try {
      if (handleRequest === undefined) {
        throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${shorten(request.method)}`);
      }
      answer = request.isCancelled ? undefined : handleRequest(request.method, params, request);
    } catch (error) {
      return this.#answerError(request, error);
    }
    if (request.isCancelled && answer === undefined) return this.#answerError(request, undefined);
    if (!(answer instanceof Promise)) return this.#answer(request, answer);
    answer.then(
      (result: unknown) => this.#answer(request, result),
      (error: unknown) => this.#answerError(request, error),
    );
  }

  #answer(request: ServedRequest, result: unknown): void {
    const { id, method } = request;
    if (this.#open.get(id) !== request) return;
    try {
      const given = result === undefined ? null : result;
      this.#owner.post(toResultText(id, given), { jsonrpc: '2.0', id, result: given });
    } catch (error) {
      this.#owner.diagnose({
        code: 'not-serializable',
        message: `${method}: the result is no JSON`,
        method,
        id,
        error,
      });
      return this.#answerError(request, new RpcError(rpcCodes.internalError, 'Internal error'));
    }
    this.#close(request);
    const follows = request.takeAfterAnswer();
    if (follows !== nothing) for (const run of follows) this.#runAfter(request, run);
  }

  #runAfter({ id, method }: ServedRequest, run: () => void | Promise<void>): void {
    const onError = (error: unknown): void => {
      if (this.#abortReason !== undefined) return;
      const message = `${method}: what was to follow the answer failed`;
      this.#owner.diagnose({ code: 'handler-failed', message, method, id, error });
    };
    try {
      run()?.catch(onError);
    } catch (error) {
      onError(error);
    }
  }

  #answerError(request: ServedRequest, thrown: unknown): void {
    const { id, method } = request;
    if (this.#open.get(id) !== request) return;
    if (request.isCancelled) {
      this.refuse(id, rpcCodes.requestCancelled, 'Request cancelled');
    } else if (thrown instanceof RpcError) {
      this.#postError(id, thrown);
    } else {
      if (this.#abortReason === undefined) {
        const message = `${method}: the handler threw`;
        this.#owner.diagnose({ code: 'handler-failed', message, method, id, error: thrown });
      }
      this.refuse(id, rpcCodes.internalError, 'Internal error');
    }
    this.#close(request);
  }

  #postError(id: RequestId, error: RpcError): void {
    try {
      this.#post({ jsonrpc: '2.0', id, error: error.toObject() });
    } catch {
      // The data is no JSON; the code and the message are.
      this.refuse(id, error.code, error.message);
    }
  }

  #post(message: Message): void {
    this.#owner.post(JSON.stringify(message), message);
  }

  #close(request: ServedRequest): void {
    this.#open.delete(request.id);
    if (this.#open.size > 0) return;
    this.#open = noneOpen;
    this.#owner.onAllAnswered();
  }
}

class ServedRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly connection: Connection;
  #abort: LazyAbort | undefined;
  #isCancelled = false;
  #afterAnswer: readonly (() => void | Promise<void>)[] = nothing;

  constructor(id: RequestId, method: string, connection: Connection) {
    this.id = id;
    this.method = method;
    this.connection = connection;
  }

  get signal(): AbortSignal {
    this.#abort ??= new LazyAbort();
    return this.#abort.signal;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get afterAnswer(): RequestContext['afterAnswer'] {
    return (run) => {
      this.#afterAnswer = [...this.#afterAnswer, run];
    };
  }

  /** The function to run, once. */
  takeAfterAnswer(): readonly (() => void | Promise<void>)[] {
    const runs = this.#afterAnswer;
    this.#afterAnswer = nothing;
    return runs;
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.abort(new RpcError(rpcCodes.requestCancelled, `${this.method}: cancelled by the peer`));
  }

  abort(reason: Error): void {
    this.#abort ??= new LazyAbort();
    this.#abort.abort(reason);
  }
}

/** Shared by connections on which every request is answered: most idle ones. */
const noneOpen: Map<RequestId, ServedRequest> = new Map();

/** What follows the answer of most requests: nothing. */
const nothing: readonly (() => void | Promise<void>)[] = [];

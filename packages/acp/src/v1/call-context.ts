import type { RequestContext as WireRequest, RequestId } from '@parley/wire';
import type { Meta } from '../meta.ts';
import type { IncomingCall } from './incoming-call.ts';

/**
 * A call as its handler sees it, with the other side under the name it has there. One class for every call: a literal
 * with getters would be a new shape for the engine each time.
 */
export class CallContext<Peer> {
  readonly #call: IncomingCall<Peer>;

  constructor(call: IncomingCall<Peer>) {
    this.#call = call;
  }

  get requestId(): RequestId {
    return this.#call.request?.id ?? null;
  }

  get raw(): unknown {
    return this.#call.raw;
  }

  get meta(): Meta {
    return this.#call.meta;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  /** For handlers of requests. */
  get afterAnswer(): WireRequest['afterAnswer'] {
    return (run) => this.#call.request?.afterAnswer(run);
  }

  /** For an agent's handlers. */
  get client(): Peer {
    return this.#call.peer;
  }

  /** For a client's handlers. */
  get agent(): Peer {
    return this.#call.peer;
  }
}

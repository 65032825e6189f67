import type { RequestContext as WireRequest, RequestId } from '@parley/wire';
import { type Meta, metaOf } from '../meta.ts';
import { traceContextOf } from '../trace-context.ts';
import type { Sender } from './peer.ts';
import type { Scope } from './scope.ts';

/** The request, turn or connection that a call belongs to. */
export interface CallOrigin {
  readonly signal: AbortSignal;
  /** For a turn: cancels it. */
  cancel?(): void;
}

/** The side of a connection that carries out calls. */
export interface CallSide<Peer, Capabilities> {
  readonly definition: {
    /** Whether what the handler sends belongs to the same trace. */
    readonly carriesTrace: boolean;
    createPeer(sender: Sender<Capabilities>, scope: Scope): Peer;
  };
  readonly sender: Sender<Capabilities>;
}

/**
 * A request or a notification as its handler sees it, with the other side under the name it has there. What a handler does
 * not ask for is not made. One class for every call: a literal with getters would be a new shape for the engine each time.
 */
export class CallContext<Peer, Capabilities> {
  readonly #side: CallSide<Peer, Capabilities>;
  readonly #origin: CallOrigin;
  readonly #request: WireRequest | null;
  readonly raw: unknown;
  #scope: Scope | undefined;
  #peer: Peer | undefined;

  /**
   * @param origin What can be cancelled: the request, its turn, or the whole connection.
   * @param request Null for a notification.
   */
  constructor(
    side: CallSide<Peer, Capabilities>,
    raw: unknown,
    origin: CallOrigin,
    request: WireRequest | null,
  ) {
    this.#side = side;
    this.raw = raw;
    this.#origin = origin;
    this.#request = request;
  }

  get requestId(): RequestId {
    return this.#request?.id ?? null;
  }

  get meta(): Meta {
    return metaOf(this.raw) ?? {};
  }

  get signal(): AbortSignal {
    return this.#origin.signal;
  }

  /** For handlers of requests. */
  get afterAnswer(): WireRequest['afterAnswer'] {
    return (run) => this.#request?.afterAnswer(run);
  }

  /** For an agent's handlers. */
  get client(): Peer {
    return this.#peerOfCall();
  }

  /** For a client's handlers. */
  get agent(): Peer {
    return this.#peerOfCall();
  }

  /** On whose behalf the handler sends. */
  get scope(): Scope {
    if (this.#scope === undefined) {
      const trace = this.#side.definition.carriesTrace ? traceContextOf(this.raw) : undefined;
      const origin = this.#origin;
      this.#scope = {
        signal: origin.signal,
        ...(trace !== undefined && { trace }),
        ...(origin.cancel !== undefined && { cancelTurn: () => origin.cancel?.() }),
      };
    }
    return this.#scope;
  }

  #peerOfCall(): Peer {
    const { definition, sender } = this.#side;
    this.#peer ??= definition.createPeer(sender, this.scope);
    return this.#peer;
  }
}

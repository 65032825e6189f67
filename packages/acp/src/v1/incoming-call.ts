import type { RequestContext as WireRequest } from '@parley/wire';
import { type Meta, metaOf } from '../meta.ts';
import { traceContextOf } from '../trace-context.ts';
import type { Scope } from './scope.ts';

/** The request, turn or connection that a call belongs to. */
export interface CallOrigin {
  readonly signal: AbortSignal;
  /** For a turn: cancels it. */
  cancel?(): void;
}

/** What makes an incoming call. */
export interface IncomingCallOptions<Peer> {
  /** Null for a notification. */
  readonly request: WireRequest | null;
  readonly raw: unknown;
  /** What can be cancelled: the request, its turn, or the whole connection. */
  readonly origin: CallOrigin;
  /** Whether what the handler sends belongs to the same trace. */
  readonly carriesTrace: boolean;
  createPeer(scope: Scope): Peer;
}

/** Makes the call of a request, or of a notification: then there is no request. */
export type CreateCall<Peer> = (
  raw: unknown,
  origin: CallOrigin,
  request: WireRequest | null,
) => IncomingCall<Peer>;

/** A request or a notification that is being handled. What a handler does not ask for is not made. */
export class IncomingCall<Peer> {
  readonly #options: IncomingCallOptions<Peer>;
  #scope: Scope | undefined;
  #peer: Peer | undefined;

  constructor(options: IncomingCallOptions<Peer>) {
    this.#options = options;
  }

  get request(): WireRequest | null {
    return this.#options.request;
  }

  get raw(): unknown {
    return this.#options.raw;
  }

  get meta(): Meta {
    return metaOf(this.#options.raw) ?? {};
  }

  get signal(): AbortSignal {
    return this.#options.origin.signal;
  }

  /** On whose behalf the handler sends. */
  get scope(): Scope {
    if (this.#scope === undefined) {
      const trace = this.#options.carriesTrace ? traceContextOf(this.#options.raw) : undefined;
      const { origin } = this.#options;
      this.#scope = {
        signal: origin.signal,
        ...(trace !== undefined && { trace }),
        ...(origin.cancel !== undefined && { cancelTurn: () => origin.cancel?.() }),
      };
    }
    return this.#scope;
  }

  /** The other side, called on behalf of this call. */
  get peer(): Peer {
    this.#peer ??= this.#options.createPeer(this.scope);
    return this.#peer;
  }
}

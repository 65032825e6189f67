import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Handles a request. A thrown error is answered with 500 and reported as a fault. */
export type FetchHandler = (request: Request, peer: Peer) => Promise<Response> | Response;

/** Handles an upgrade request. A returned `Response` rejects it; a returned function takes over the connection. */
export type UpgradeHandler = (request: Request, peer: Peer) => Promise<Response | TakeOver>;

/** Takes over a connection that is no longer HTTP. */
export type TakeOver = (upgrade: RawUpgrade) => void;

/** The values that Node passes for an upgraded connection. */
export interface RawUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The other end of a request's connection. */
export interface Peer {
  /** Its address without the port; behind a proxy, the address of the proxy. */
  readonly address: string;
  readonly isEncrypted: boolean;
  /** Calls a function when the exchange has ended: the response was sent, or the peer disconnected. */
  onClose(run: () => void): void;
  /**
   * Ends the exchange immediately. An incomplete response is aborted, so that it is not mistaken for a complete one.
   */
  end(): void;
}

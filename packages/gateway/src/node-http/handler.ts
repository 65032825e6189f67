import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a request. What it throws is answered 500, and reported as our fault. */
export type FetchHandler = (request: Request, peer: Peer) => Promise<Response> | Response;

/**
 * Answers a request that wants to change the protocol. A `Response` refuses it; a function takes the connection over,
 * and answers on it by itself.
 */
export type UpgradeHandler = (request: Request, peer: Peer) => Promise<Response | TakeOver>;

/** Goes on with a connection that is no longer HTTP. */
export type TakeOver = (upgrade: RawUpgrade) => void;

/** What Node hands over when a connection changes its protocol. */
export interface RawUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Who is at the other end of a request's connection. */
export interface Peer {
  /** Its address, without the port. Of a proxy, where there is one. */
  readonly address: string;
  readonly isEncrypted: boolean;
  /** Runs something when the exchange is over: the answer has left, or the peer has gone. */
  onClose(run: () => void): void;
  /** Ends the exchange at once; an answer in the middle is broken off, so that it is not taken for a whole one. */
  end(): void;
}

/**
 * The part of a WebSocket that a transport needs. Browsers provide it, and so does the package `ws`, with additional
 * methods.
 */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  /** The type of received binary messages. */
  binaryType?: string;
  /** Bytes that were sent, but not transmitted yet. */
  readonly bufferedAmount: number;
  /** @param done Called by `ws` when the text was transmitted; browsers ignore it. */
  send(text: string, done?: (error?: Error | null) => void): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: WebSocketEvent) => void,
  ): void;
  /** Stops reading, so that the peer has to wait. */
  pause?(): void;
  resume?(): void;
  /** Sends a ping. */
  ping?(): void;
  on?(type: 'pong', listener: () => void): unknown;
  /** Closes the connection without a handshake. */
  terminate?(): void;
}

/** The event that listeners of a WebSocket receive. */
export interface WebSocketEvent {
  readonly type: string;
  /** For messages: the text, or bytes. */
  readonly data?: unknown;
  /** For a close: the code. Source: RFC 6455, section 7.4. */
  readonly code?: number;
  readonly reason?: string;
  /** For errors of `ws`: the description. */
  readonly message?: string;
}

/** Where a socket stands: the values of `readyState`. */
export const socketState = { connecting: 0, open: 1 } as const;

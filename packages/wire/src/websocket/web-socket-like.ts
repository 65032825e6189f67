/**
 * What a transport needs of a WebSocket: that of browsers has it, and so has the one of the package `ws`, which can do
 * more. The caller that opens the socket passes it in.
 */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  /** How binary messages are handed over. */
  binaryType?: string;
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  /** @param done Called by `ws` when the text has left; browsers do not know it. */
  send(text: string, done?: (error?: Error | null) => void): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: WebSocketEvent) => void,
  ): void;
  /** Stops reading, so that the peer has to wait. */
  pause?(): void;
  resume?(): void;
  /** Asks for a sign of life. */
  ping?(): void;
  on?(type: 'pong', listener: () => void): unknown;
  /** Ends it without a word. */
  terminate?(): void;
}

/** The events that listeners of a WebSocket receive. */
export interface WebSocketEvent {
  readonly type: string;
  /** Of a message: its text, or bytes. */
  readonly data?: unknown;
  /** Of a close: its code. Source: RFC 6455, section 7.4. */
  readonly code?: number;
  readonly reason?: string;
  /** Of an error of `ws`: what went wrong. */
  readonly message?: string;
}

/** Where a socket stands: the values of `readyState`. */
export const socketState = { connecting: 0, open: 1 } as const;

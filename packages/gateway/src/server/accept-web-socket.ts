import { WebSocketServer, type WebSocket } from 'ws';
import type { TakeOver } from '../node-http/handler.ts';

/** How a WebSocket is accepted. */
export interface AcceptOptions {
  /** What the answer to the upgrade carries besides its own. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The longest message, in bytes; a longer one ends the socket. */
  readonly maxMessageBytes: number;
  /** Ends it: its client lost access. */
  readonly signal: AbortSignal;
}

/** The close code for a client whose token was revoked, or which was signed out. Like 401 of HTTP. */
const signedOut = 4401;

/** Time that a client has to answer the close frame. With the checks of tokens, its connection ends within a second. */
const partingMs = 250;

/** Accepts a connection as a WebSocket. Invalid requests are answered with 400. */
export function acceptWebSocket(onOpen: (socket: WebSocket) => void, options: AcceptOptions): TakeOver {
  return ({ request, socket, head }) => {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // What travels are many small messages: compressing them costs more than it saves, and memory for each socket.
      perMessageDeflate: false,
      maxPayload: options.maxMessageBytes,
    });
    server.on('headers', (lines) => {
      for (const [name, value] of options.headers) lines.push(`${name}: ${value}`);
    });
    server.handleUpgrade(request, socket, head, (opened) => {
      onOpen(opened);
      endWith(options.signal, opened);
    });
  };
}

function endWith(signal: AbortSignal, socket: WebSocket): void {
  const end = (): void => {
    // Nothing it sends is heard any more, except for its close frame.
    socket.removeAllListeners('message');
    socket.resume();
    socket.close(signedOut, 'signed out');
    setTimeout(() => {
      socket.terminate();
    }, partingMs).unref();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  socket.once('close', () => {
    signal.removeEventListener('abort', end);
  });
}

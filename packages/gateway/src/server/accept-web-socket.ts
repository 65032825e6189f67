import { WebSocketServer, type WebSocket } from 'ws';
import type { TakeOver } from '../node-http/handler.ts';

/** How a WebSocket is accepted. */
export interface AcceptOptions {
  /** What the answer to the upgrade carries besides its own. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The longest message, in bytes; a longer one ends the socket. */
  readonly maxMessageBytes: number;
}

/** Makes a WebSocket of a connection. What is no proper request for one is answered 400. */
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
    server.handleUpgrade(request, socket, head, onOpen);
  };
}

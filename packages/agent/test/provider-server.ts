import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** What the server does with one request; it ends the response, or leaves it open. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A received request. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Settles when its connection is closed before the response was whole, or after. */
  readonly closed: Promise<void>;
}

/** A provider on the loopback interface that gives the answers in order, and repeats the last one. */
export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Settles when so many requests have come. */
  received(count: number): Promise<void>;
}

/** Opens a provider that answers like this. */
export async function openProviderServer(...answers: readonly Answer[]): Promise<ProviderServer> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Map<number, () => void>();
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        resolve();
      });
    });
    void text(request).then((body) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({ path: request.url ?? '', headers: request.headers, body, closed });
      waiting.get(requests.length)?.();
      answer?.(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        waiting.set(count, resolve);
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends events and ends. */
export function stream(events: readonly string[]): Answer {
  return (response) => {
    begin(response);
    response.end(events.join(''));
  };
}

/** Sends events and breaks the connection. */
export function cut(events: readonly string[]): Answer {
  return (response) => {
    begin(response);
    response.write(events.join(''), () => response.destroy());
  };
}

/** Sends events and then nothing. */
export function stall(events: readonly string[]): Answer {
  return (response) => {
    begin(response);
    if (events.length > 0) response.write(events.join(''));
    else response.flushHeaders();
  };
}

/** Sends not even a status. */
export const silence: Answer = () => undefined;

/** Refuses. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number | string = status,
): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type: 'error', code, status: 'X', message } }));
  };
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

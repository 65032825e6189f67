import type { FetchHandler } from './handler.ts';
import { breakOff, sendResponse, type NodeResponse } from './send-response.ts';
import { peerOf, toRequest, type NodeRequest } from './to-request.ts';

/** What a listener needs besides its handler. */
export interface ListenerOptions {
  /** The handler or a body threw. This is always a defect here, and never caused by a request. */
  readonly onFault: (error: unknown) => void;
  /** Time limit for receiving a complete request. */
  readonly receiveMs: number;
}

/** Serves requests of `node:http` and `node:http2` with a handler of the web's. */
export function createListener(
  handler: FetchHandler,
  { onFault, receiveMs }: ListenerOptions,
): (incoming: NodeRequest, outgoing: NodeResponse) => void {
  return (incoming, outgoing) => {
    // A broken connection is reported by `close`; the error has no other listener.
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    limitArrival(incoming, outgoing, receiveMs);
    answer(handler, incoming, outgoing).catch((error: unknown) => {
      onFault(error);
      if (outgoing.headersSent) breakOff(outgoing);
      else refuse(outgoing, 500, 'internal', 'internal error');
    });
  };
}

async function answer(handler: FetchHandler, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableEnded) gone.abort();
  });
  const request = toRequest(incoming, gone.signal);
  if (request === undefined) {
    refuse(outgoing, 400, 'bad_request', 'not a valid request: check its method, target and Host');
    return;
  }
  const peer = peerOf(incoming, outgoing, () => {
    breakOff(outgoing);
  });
  await sendResponse(await handler(request, peer), outgoing);
}

/** Node does this for HTTP/1; on HTTP/2 a body could come a byte a minute. */
function limitArrival(incoming: NodeRequest, outgoing: NodeResponse, receiveMs: number): void {
  if (!('stream' in incoming) || incoming.complete) return;
  const timer = setTimeout(() => {
    if (!incoming.complete) breakOff(outgoing);
  }, receiveMs);
  timer.unref();
  const stop = (): void => {
    clearTimeout(timer);
  };
  incoming.once('end', stop).once('close', stop);
}

function refuse(outgoing: NodeResponse, status: number, code: string, error: string): void {
  outgoing.statusCode = status;
  outgoing.setHeader('content-type', 'application/json');
  if (outgoing.req.httpVersionMajor < 2) outgoing.setHeader('connection', 'close');
  outgoing.end(JSON.stringify({ error, code }));
}

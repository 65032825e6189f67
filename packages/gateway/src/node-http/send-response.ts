import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import { textSourceOf, type TextSource } from '@parley/aap/server';

/** A response as Node has it. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Headers that HTTP/2 knows no more. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Sends a response, its body as fast as the peer takes it. Settles when it has left or the peer has gone; then the
 * body is cancelled.
 *
 * @throws what the body failed with; the response is broken off then
 */
export async function sendResponse(response: Response, outgoing: NodeResponse): Promise<void> {
  const { body } = response;
  if (outgoing.destroyed || outgoing.closed) {
    await body?.cancel();
    return;
  }
  writeHead(response, outgoing);
  if (body === null || outgoing.req.method === 'HEAD') {
    outgoing.end();
    await body?.cancel();
    return;
  }
  const source = textSourceOf(response);
  await (source === undefined ? writeBody(body, outgoing) : writeText(source, outgoing));
}

/** Ends an answer in the middle, so that the peer sees that it is none. */
export function breakOff(outgoing: NodeResponse): void {
  if ('stream' in outgoing) outgoing.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy();
}

function writeHead(response: Response, outgoing: NodeResponse): void {
  const isOld = outgoing.req.httpVersionMajor < 2;
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') continue;
    if (isOld || !connectionHeaders.has(name)) outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.statusCode = response.status;
}

async function writeBody(body: ReadableStream<Uint8Array>, outgoing: NodeResponse): Promise<void> {
  const reader = body.getReader();
  let goOn: (() => void) | undefined;
  const onDrain = (): void => {
    goOn?.();
  };
  const onClose = (): void => {
    goOn?.();
    // Whatever the source throws when it is let go of, nobody is there to hear of it.
    reader.cancel().catch(() => {});
  };
  outgoing.on('drain', onDrain).on('close', onClose);
  // Whoever waits for the first event of a stream sees that its request was taken.
  const headOnly = setImmediate(() => {
    if (!outgoing.headersSent) flushHead(outgoing);
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (outgoing.destroyed) return;
      if (done) break;
      if (!writeChunk(outgoing, value)) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        goOn = undefined;
      }
    }
    outgoing.end();
  } catch (error) {
    // Nobody may take it for a whole one.
    breakOff(outgoing);
    throw error;
  } finally {
    clearImmediate(headOnly);
    outgoing.off('drain', onDrain).off('close', onClose);
  }
}

/** The same without a stream in between: events are many small pieces. */
async function writeText(source: TextSource, outgoing: NodeResponse): Promise<void> {
  let goOn: (() => void) | undefined;
  const onDrain = (): void => {
    goOn?.();
  };
  const onClose = (): void => {
    goOn?.();
    // Whatever the source throws when it is let go of, nobody is there to hear of it.
    source.cancel().catch(() => {});
  };
  outgoing.on('drain', onDrain).on('close', onClose);
  const headOnly = setImmediate(() => {
    if (!outgoing.headersSent) flushHead(outgoing);
  });
  try {
    for (;;) {
      const now = source.read();
      const text = now instanceof Promise ? await now : now;
      if (outgoing.destroyed) return;
      if (text === undefined) break;
      if (text === '' ? now instanceof Promise : writeChunk(outgoing, text)) continue;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        if (text === '') source.onMore(resolve);
      });
    }
    outgoing.end();
  } catch (error) {
    breakOff(outgoing);
    throw error;
  } finally {
    clearImmediate(headOnly);
    outgoing.off('drain', onDrain).off('close', onClose);
  }
}

function flushHead(outgoing: NodeResponse): void {
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
  else outgoing.writeHead(outgoing.statusCode);
}

/** @returns Whether more may be written at once. */
function writeChunk(outgoing: NodeResponse, chunk: Uint8Array | string): boolean {
  // The two have the same method, with types that are not told apart in a union.
  return 'stream' in outgoing ? outgoing.write(chunk) : outgoing.write(chunk);
}

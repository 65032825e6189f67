import type { ServerResponse } from 'node:http';
import { constants, type Http2ServerResponse } from 'node:http2';
import { textSourceOf, type TextSource } from '@parley/aap/server';

/** A response as Node has it. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Headers that HTTP/2 knows no more. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Sends a response, with its body as fast as the peer reads it. Resolves when it was sent or the peer disconnected;
 * then the body is cancelled.
 *
 * @throws the error of the body; the response is aborted
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
  await writeBody(textSourceOf(response) ?? sourceOf(body), outgoing);
}

/** Aborts a response, so that the peer recognizes it as incomplete. */
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

/** Where the pieces of a body come from: a stream of bytes, or the text of events without a stream in between. */
interface BodySource extends Pick<TextSource, 'onMore' | 'cancel'> {
  /** As of a `TextSource`. */
  read(): Piece | undefined | Promise<Piece | undefined>;
}

type Piece = string | Uint8Array;

function sourceOf(body: ReadableStream<Uint8Array>): BodySource {
  const reader = body.getReader();
  return {
    read: async () => {
      const { value } = await reader.read();
      return value;
    },
    // There is never nothing yet: who reads waits.
    onMore: () => undefined,
    cancel: () => reader.cancel(),
  };
}

async function writeBody(source: BodySource, outgoing: NodeResponse): Promise<void> {
  let resume: (() => void) | undefined;
  const onDrain = (): void => {
    resume?.();
  };
  const onClose = (): void => {
    resume?.();
    // An error of the source on cancel has no receiver.
    source.cancel().catch(() => {});
  };
  outgoing.on('drain', onDrain).on('close', onClose);
  // A client that waits for the first event of a stream sees that its request was accepted.
  const headOnly = setImmediate(() => {
    if (!outgoing.headersSent) flushHead(outgoing);
  });
  try {
    for (;;) {
      const now = source.read();
      const piece = now instanceof Promise ? await now : now;
      if (outgoing.destroyed) return;
      if (piece === undefined) break;
      if (piece === '' ? now instanceof Promise : writeChunk(outgoing, piece)) continue;
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (piece === '') source.onMore(resolve);
      });
    }
    outgoing.end();
  } catch (error) {
    // It must not be taken for a complete one.
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
function writeChunk(outgoing: NodeResponse, chunk: Piece): boolean {
  // The two have the same method, with types that a union does not distinguish.
  return 'stream' in outgoing ? outgoing.write(chunk) : outgoing.write(chunk);
}

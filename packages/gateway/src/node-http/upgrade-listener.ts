import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { UpgradeHandler } from './handler.ts';
import { sendResponse } from './send-response.ts';
import { peerOf, toRequest } from './to-request.ts';

/** Passes upgrade requests to a handler. */
export function createUpgradeListener(
  handler: UpgradeHandler,
  { onFault }: { readonly onFault: (error: unknown) => void },
): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (incoming, socket, head) => {
    if (isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const gone = new AbortController();
    const onError = (): void => {};
    const onClose = (): void => {
      gone.abort();
    };
    socket.on('error', onError).once('close', onClose);
    const decide = async (): Promise<void> => {
      const request = toRequest(incoming, gone.signal);
      const answer =
        request === undefined
          ? Response.json({ error: 'not a request', code: 'bad_request' }, { status: 400 })
          : await handler(
              request,
              peerOf(incoming, socket, () => socket.destroy()),
            );
      if (socket.destroyed) return;
      if (answer instanceof Response) {
        await refuse(answer, incoming, socket);
        return;
      }
      socket.off('error', onError).off('close', onClose);
      answer({ request: incoming, socket, head });
    };
    decide().catch((error: unknown) => {
      onFault(error);
      socket.destroy();
    });
  };
}

/**
 * Whether a response to an earlier request on this connection is still being written: bytes of another protocol would
 * end up inside it. RFC 9110, 7.8: the client waits before it sends more.
 */
function isAnswering(socket: Duplex): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
}

async function refuse(answer: Response, incoming: IncomingMessage, socket: Duplex): Promise<void> {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  if (socket instanceof Socket) outgoing.assignSocket(socket);
  outgoing.once('finish', () => {
    socket.end();
  });
  await sendResponse(answer, outgoing);
}

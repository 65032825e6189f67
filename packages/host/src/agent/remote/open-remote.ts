import { httpTransport } from '@parley/acp/http';
import { webSocketTransport, type Transport } from '@parley/wire';
import type { WebSocket } from 'ws';
import { HostError } from '../../host-error.ts';
import { parseRemoteAddress } from './remote-address.ts';

/** Options for connecting to a remote agent. */
export interface OpenRemoteOptions {
  /** `https:` or `http:` for streamable HTTP, `wss:` or `ws:` for a WebSocket. */
  readonly url: string;
  /** Headers of each request, for example `Authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit for opening a WebSocket. @default 60000 */
  readonly openTimeoutMs?: number;
  /**
   * Whether to accept any certificate for a WebSocket. Use it only for a server of the same user on this machine,
   * whose URL comes from a file that only this user can write. @default false
   */
  readonly acceptsAnyCertificate?: boolean;
  /** Aborts connecting. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to a remote agent. For streamable HTTP, a wrong address only fails with the first message.
 *
 * @throws {HostError} `start-failed`: no server, or one that does not speak ACP; `auth-required`: other credentials
 * are required; `aborted`
 */
export async function openRemote(options: OpenRemoteOptions): Promise<Transport> {
  const { url, headers = {}, signal } = options;
  const address = parseRemoteAddress(url);
  if (address === undefined) {
    throw new HostError(
      'start-failed',
      'the address of a remote agent is a URL with https:// or wss://, without a name or a password in it',
    );
  }
  refuseAborted(address.name, signal);
  if (address.via === 'http') return httpTransport(address.url, { headers });
  // Most agents run on this machine: their commands start without the time that loading this takes.
  const { WebSocket: Socket } = await import('ws');
  refuseAborted(address.name, signal);
  const socket = createSocket(Socket, address.url, address.name, options);
  // Its listeners come first: what a server says at once is not lost.
  const transport = webSocketTransport(socket);
  await untilOpen(socket, address.name, signal);
  return transport;
}

function refuseAborted(name: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new HostError('aborted', `open ${name}: aborted`);
}

function createSocket(
  Socket: typeof WebSocket,
  url: string,
  name: string,
  { headers = {}, openTimeoutMs = defaultOpenTimeoutMs, acceptsAnyCertificate = false }: OpenRemoteOptions,
): WebSocket {
  try {
    return new Socket(url, {
      headers,
      handshakeTimeout: openTimeoutMs,
      perMessageDeflate: false,
      ...(acceptsAnyCertificate && { rejectUnauthorized: false }),
    });
  } catch (error) {
    // The value of a header that cannot be one is a secret; `ws` names the header only.
    throw failed(name, error instanceof Error ? error.message : String(error));
  }
}

function untilOpen(socket: WebSocket, name: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: HostError): void => {
      signal?.removeEventListener('abort', onAbort);
      if (error === undefined) {
        resolve();
        return;
      }
      reject(error);
      socket.terminate();
    };
    const onAbort = (): void => {
      settle(new HostError('aborted', `open ${name}: aborted`));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('open', () => {
      settle();
    });
    socket.once('unexpected-response', (_request, { statusCode = 0, statusMessage = '' }) => {
      const words = `the server answered ${`${statusCode} ${statusMessage}`.trim()}`;
      settle(
        statusCode === 401 || statusCode === 403
          ? unauthorized(name, words, statusCode)
          : failed(name, words),
      );
    });
    // Terminating one that is not open is an error, too: that one is expected.
    socket.on('error', (error) => {
      settle(failed(name, toWords(error)));
    });
  });
}

function failed(name: string, why: string): HostError {
  return new HostError('start-failed', `open ${name}: ${why}`);
}

function unauthorized(name: string, words: string, httpStatus: number): HostError {
  return new HostError('auth-required', `open ${name}: ${words}: it requires other credentials`, {
    httpStatus,
  });
}

/** A name with several addresses, none of which answers, has its words in the errors of each. */
function toWords(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error ? first.message : error.message;
}

/** Default time limit for connecting to a remote agent. */
const defaultOpenTimeoutMs = 60_000;

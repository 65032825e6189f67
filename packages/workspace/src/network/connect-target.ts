import { connect, type Socket } from 'node:net';
import { notAllowedHost, unreachable } from './blocked-connection.ts';
import { targetText, type ConnectionTarget } from './connection-target.ts';
import { findAddresses, type FoundAddresses, type LookUp } from './find-addresses.ts';
import type { NetworkUseCounter } from './network-use.ts';

/** Time limit for a host to accept a connection. */
const connectTimeoutMs = 30_000;

/** A connection without a byte in either direction is closed after that: 30 minutes. */
export const idleConnectionMs: number = 30 * 60_000;

/** A connection that a program in the sandbox wants. */
export interface ConnectionRequest {
  readonly target: ConnectionTarget;
  /** The name that leads to the target, which is an address that is not public. @default the target was named itself */
  readonly resolvedFrom?: string;
  /** Aborted when the program does not wait any more. */
  readonly signal: AbortSignal;
}

/** Whether a connection is allowed. */
export type ConnectionAnswer =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      /** Why not, without a full stop. */
      readonly reason: string;
    };

/** Decides whether a connection is allowed. Must not reject. */
export type AllowConnection = (request: ConnectionRequest) => ConnectionAnswer | Promise<ConnectionAnswer>;

/** Dependencies for opening connections. */
export interface Connector {
  readonly allow: AllowConnection;
  readonly uses: NetworkUseCounter;
  /** @default the resolver of this system */
  readonly lookUp?: LookUp;
}

/**
 * Connects to a target if it is allowed. The name is resolved once, after it was allowed, and the
 * connection uses the address that was checked.
 *
 * @throws {BlockedConnection} The target is not allowed or not reachable, or the signal was aborted.
 */
export async function connectTarget(
  target: ConnectionTarget,
  { allow, uses, lookUp }: Connector,
  signal: AbortSignal,
): Promise<Socket> {
  await expectAllowed({ target, signal }, allow, uses);
  const found = await resolved(target, lookUp);
  if (found.notPublic !== undefined) {
    const address = { host: found.notPublic, port: target.port };
    await expectAllowed({ target: address, resolvedFrom: target.host, signal }, allow, uses);
  }
  const socket = await open(target, found, signal);
  uses.opened(target, socket);
  return socket;
}

async function expectAllowed(
  request: ConnectionRequest,
  allow: AllowConnection,
  uses: NetworkUseCounter,
): Promise<void> {
  const { target, resolvedFrom } = request;
  const answer = await allow(request);
  if (!answer.isAllowed) {
    uses.blocked(target);
    const { reason } = answer;
    throw notAllowedHost(
      target,
      resolvedFrom === undefined
        ? reason
        : `${resolvedFrom} leads to this address, which is not public, and ${reason}`,
    );
  }
}

async function resolved(target: ConnectionTarget, lookUp: LookUp | undefined): Promise<FoundAddresses> {
  try {
    return await findAddresses(target, lookUp);
  } catch (error) {
    throw unreachable(target, error);
  }
}

function open(target: ConnectionTarget, { addresses }: FoundAddresses, signal: AbortSignal): Promise<Socket> {
  const [first] = addresses;
  if (signal.aborted) throw unreachable(target, signal.reason);
  if (first === undefined) throw unreachable(target, new Error(`${targetText(target)} has no address`));
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      allowHalfOpen: true,
      autoSelectFamily: addresses.length > 1,
      noDelay: true,
      lookup: (_name, options, callback) => {
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
    });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(unreachable(target, error));
    };
    const onAbort = (): void => {
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    }, connectTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', fail);
      // Its 'close' says all that its users need.
      socket.on('error', () => undefined);
      socket.setTimeout(idleConnectionMs, () => socket.destroy());
      resolve(socket);
    });
  });
}

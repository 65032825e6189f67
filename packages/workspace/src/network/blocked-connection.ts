import { targetPattern, targetText, type ConnectionTarget } from './connection-target.ts';

/** A rejected connection: an HTTP status for the client, and a text that says what to do. */
export class BlockedConnection extends Error {
  override readonly name = 'BlockedConnection';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A host that the sandbox does not allow. */
export function notAllowedHost(target: ConnectionTarget, reason: string): BlockedConnection {
  return new BlockedConnection(
    403,
    `The sandbox blocked the connection to ${targetText(target)}: ${reason}. ` +
      `To allow it, add "${targetPattern(target)}" to "network" of "sandbox" in Parley's configuration.`,
  );
}

/** A request that is not one for a proxy, or not understood. */
export function badRequest(reason: string): BlockedConnection {
  return new BlockedConnection(400, `The proxy of Parley's sandbox rejected the request: ${reason}.`);
}

/** An allowed host that could not be reached. */
export function unreachable(target: ConnectionTarget, error: unknown): BlockedConnection {
  const { status, reason } = meaningOf(error);
  const message = `The proxy of Parley's sandbox could not connect to ${targetText(target)}: ${reason}.`;
  return new BlockedConnection(status, message, { cause: error });
}

function meaningOf(error: unknown): { readonly status: number; readonly reason: string } {
  const code = codeOf(error);
  switch (code) {
    case 'ENOTFOUND':
      return { status: 502, reason: 'the name has no address' };
    case 'EAI_AGAIN':
      return { status: 502, reason: 'the name could not be resolved' };
    case 'ECONNREFUSED':
      return { status: 502, reason: 'the connection was refused' };
    case 'ETIMEDOUT':
      return { status: 504, reason: 'it did not answer in time' };
    default:
      return { status: 502, reason: code ?? 'the connection failed' };
  }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

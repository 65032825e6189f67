/**
 * - `not-connected`: nothing was sent, there was no connection in time.
 * - `signed-out`: nothing was sent, the server does not know this browser any more.
 * - `lost`: it was sent, and the connection ended before the answer.
 * - `refused`: the server said no; the message is its own.
 */
export type HubErrorCode = 'not-connected' | 'signed-out' | 'lost' | 'refused';

/** A request to the hub or its server failed. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: HubErrorCode;
  /** Of a refusal: its number in JSON-RPC. */
  readonly rpcCode?: number;
  /** Of a refusal: why, as a word of the server's. */
  readonly reason?: string;

  constructor(
    code: HubErrorCode,
    message: string,
    { rpcCode, reason, ...options }: ErrorOptions & Partial<Pick<HubError, 'rpcCode' | 'reason'>> = {},
  ) {
    super(message, options);
    this.code = code;
    if (rpcCode !== undefined) this.rpcCode = rpcCode;
    if (reason !== undefined) this.reason = reason;
  }
}

/** ACP's code for what does not exist, or no longer. */
const notFound = -32_002;

/** Whether an answer was refused because another client answered first, or the request was cancelled. */
export function isAnswered(error: unknown): boolean {
  return error instanceof HubError && error.rpcCode === notFound;
}

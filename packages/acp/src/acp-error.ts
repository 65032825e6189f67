/** Error codes that ACP adds to JSON-RPC 2.0, and those that it gives a specific meaning. */
export const acpCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
} as const;

/**
 * Why an operation failed on this side.
 *
 * - `not-initialized`: nothing may be sent before `initialize` was answered.
 * - `already-initialized`: `initialize` may be sent only once.
 * - `unsupported-version`: the agent speaks a version that this side does not support; the connection was closed.
 * - `not-supported`: the peer did not declare the capability.
 * - `unknown-session`: no such session is open on this connection.
 * - `turn-ended`: the prompt was answered; messages of its turn may no longer be sent.
 * - `invalid-params`: the params violate the protocol; nothing was sent.
 * - `invalid-result`: the response violates the protocol.
 * - `invalid-options`: the options of a side contradict each other.
 * - `unauthorized`: the server of a remote agent requires other credentials; `status` is its status code.
 */
export type AcpErrorCode =
  | 'not-initialized'
  | 'already-initialized'
  | 'unsupported-version'
  | 'not-supported'
  | 'unknown-session'
  | 'turn-ended'
  | 'invalid-params'
  | 'invalid-result'
  | 'invalid-options'
  | 'unauthorized';

/** Options of an `AcpError`. */
export interface AcpErrorOptions extends ErrorOptions {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
}

/**
 * An operation that failed on this side because the protocol does not allow it. A rejection by the peer is an
 * RpcError.
 */
export class AcpError extends Error {
  override readonly name = 'AcpError';
  readonly code: AcpErrorCode;
  readonly method?: string;
  /** The field, such as `prompt[2].type`. */
  readonly path?: string;
  /** The HTTP status code. */
  readonly status?: number;

  constructor(code: AcpErrorCode, message: string, options: AcpErrorOptions = {}) {
    super(message, options);
    this.code = code;
    if (options.method !== undefined) this.method = options.method;
    if (options.path !== undefined) this.path = options.path;
    if (options.status !== undefined) this.status = options.status;
  }
}

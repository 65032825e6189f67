/** Error codes that ACP adds to those of JSON-RPC 2.0, and the ones it gives a meaning of its own. */
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
 * What kept a side from doing what it was asked to.
 *
 * - `not-initialized`: nothing may be sent before `initialize` was answered.
 * - `already-initialized`: `initialize` is sent once.
 * - `unsupported-version`: the agent speaks a version that this side does not; the connection was closed.
 * - `not-supported`: the peer did not declare the capability.
 * - `unknown-session`: no such session is open on this connection.
 * - `turn-ended`: the prompt was answered; nothing of its turn may be sent any more.
 * - `invalid-params`: what was to be sent breaks the protocol; nothing was sent.
 * - `invalid-result`: the answer breaks the protocol.
 * - `invalid-options`: the options of a side contradict each other.
 * - `unauthorized`: the server of a remote agent wants other credentials; `status` is what it answered.
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

/** Where it happened. */
export interface AcpErrorOptions extends ErrorOptions {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
}

/** We could not, or would not: the protocol does not allow it. A refusal by the peer is an RpcError. */
export class AcpError extends Error {
  override readonly name = 'AcpError';
  readonly code: AcpErrorCode;
  readonly method?: string;
  /** The field, as in `prompt[2].type`. */
  readonly path?: string;
  /** The status of HTTP. */
  readonly status?: number;

  constructor(code: AcpErrorCode, message: string, options: AcpErrorOptions = {}) {
    super(message, options);
    this.code = code;
    if (options.method !== undefined) this.method = options.method;
    if (options.path !== undefined) this.path = options.path;
    if (options.status !== undefined) this.status = options.status;
  }
}

import type { RpcErrorObject } from './message.ts';

/** Error codes of JSON-RPC 2.0, and -32800, which ACP adds for cancelled requests. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
} as const;

/** The error response of a peer. The only error that is sent between peers. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    if (data !== undefined) this.data = data;
  }

  /** Returns the `error` member of a response. */
  toObject(): RpcErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

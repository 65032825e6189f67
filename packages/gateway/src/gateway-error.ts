/**
 * What kept the gateway from it.
 *
 * - `overloaded`: too many sessions wait for an agent process already.
 * - `address-in-use`: another program listens there.
 * - `invalid-tokens`: the file of the tokens cannot be read.
 * - `name-taken`: there is a token of that name.
 * - `closed`: the gateway is about to end.
 * - `failed`: something else; `cause` says what.
 */
export type GatewayErrorCode =
  | 'overloaded'
  | 'address-in-use'
  | 'invalid-tokens'
  | 'name-taken'
  | 'closed'
  | 'failed';

/** We could not serve. What the agent refuses is an `RpcError`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

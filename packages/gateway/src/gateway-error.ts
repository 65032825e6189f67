/**
 * What kept the gateway from it.
 *
 * - `suspended`: the agent was ended while its run waited for the application: another session needed its place.
 * - `too-many-calls`: an agent has more calls open than any application would answer.
 * - `address-in-use`: another program listens there.
 * - `cannot-listen`: the system does not let us; `cause` says why.
 * - `name-taken`: there is a token of that name.
 * - `store-in-use`: another process has the folder of the store.
 * - `insecure-key`: others than its owner may read the file of a key.
 * - `invalid-key`: the file of a key holds none.
 * - `invalid-session`: no session can have that id.
 * - `closed`: it was closed before.
 */
export type GatewayErrorCode =
  | 'suspended'
  | 'too-many-calls'
  | 'address-in-use'
  | 'cannot-listen'
  | 'name-taken'
  | 'store-in-use'
  | 'insecure-key'
  | 'invalid-key'
  | 'invalid-session'
  | 'closed';

/** We could not serve. What the agent refuses is an `RpcError`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

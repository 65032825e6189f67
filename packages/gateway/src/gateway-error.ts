/**
 * Why an operation of the gateway failed.
 *
 * - `suspended`: the agent was ended while its run waited for the application, because another session needed its
 * slot.
 * - `too-many-calls`: an agent has too many open calls.
 * - `address-in-use`: another program listens on the address.
 * - `cannot-listen`: the system does not allow it; `cause` is the reason.
 * - `name-taken`: a token has that name.
 * - `store-in-use`: another process uses the store's folder.
 * - `insecure-key`: other users can read the key file.
 * - `invalid-key`: the key file does not contain a key.
 * - `invalid-session`: the id is not valid for a session.
 * - `closed`: it is already closed.
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

/** A failed operation of the gateway. A rejection by the agent is an `RpcError`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;

  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

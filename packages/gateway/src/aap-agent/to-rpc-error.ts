import { AapClientError, AapError, StreamInterrupted } from '@parley/aap';
import { authRequired, invalidRequest, unknownSession } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';

/** The same promise, with a server's refusal as one that an ACP client understands. */
export async function refusing<T>(promise: Promise<T>, sessionId?: string): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toRpcError(error, sessionId);
  }
}

function toRpcError(error: unknown, sessionId: string | undefined): unknown {
  if (error instanceof AapError) {
    const { status, code, message } = error;
    if (status === 401 || status === 403) return authRequired(message);
    if (status === 404 && sessionId !== undefined) return unknownSession(sessionId);
    const data = { status, ...(code !== undefined && { code }) };
    if (status < 500) return invalidRequest(message, data);
    return new RpcError(rpcCodes.internalError, message, data);
  }
  // These say which request failed and how; what the server wrote is not in them.
  if (error instanceof AapClientError || error instanceof StreamInterrupted) {
    return new RpcError(rpcCodes.internalError, error.message);
  }
  return error;
}

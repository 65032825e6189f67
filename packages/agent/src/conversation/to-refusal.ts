import { RpcError, rpcCodes } from '@parley/wire';
import { errorCode } from '../error-code.ts';

/** An error of the store, as the client sees it. */
export function toRefusal(error: unknown, sessionId: string): unknown {
  switch (errorCode(error)) {
    case 'session-busy':
    case 'session-damaged': {
      const message = error instanceof Error ? error.message : String(error);
      return new RpcError(rpcCodes.invalidRequest, message, { sessionId }, { cause: error });
    }
    case 'no-space':
    case 'denied': {
      const message = error instanceof Error ? error.message : String(error);
      const text = `Session ${sessionId} cannot be opened for writing: ${message}`;
      return new RpcError(rpcCodes.internalError, text, { sessionId }, { cause: error });
    }
    default:
      return error;
  }
}

import { RpcError, shorten } from '@parley/wire';
import { acpCodes } from './acp-error.ts';

/** -32000: the client has to authenticate first. */
export function authRequired(message = 'Authentication required'): RpcError {
  return new RpcError(acpCodes.authRequired, message);
}

/** -32002: the file or other resource does not exist. */
export function resourceNotFound(uri: string): RpcError {
  const named = shorten(uri);
  return new RpcError(acpCodes.resourceNotFound, `Resource not found: ${named}`, { uri: named });
}

/** -32002: no such session is open. */
export function unknownSession(sessionId: string): RpcError {
  const named = shorten(sessionId);
  return new RpcError(acpCodes.resourceNotFound, `Unknown session: ${named}`, { sessionId: named });
}

/** -32602: a field has an invalid value. State the expected value; do not repeat the actual one. */
export function invalidParams(path: string, expected: string): RpcError {
  const message =
    path === '' ? `Invalid params: expected ${expected}` : `Invalid params: ${path}: expected ${expected}`;
  return new RpcError(acpCodes.invalidParams, message, { path, expected });
}

/** -32601: the method does not exist, or was not advertised. */
export function methodNotFound(method: string): RpcError {
  const named = shorten(method);
  return new RpcError(acpCodes.methodNotFound, `Method not found: ${named}`, { method: named });
}

/** -32600: the request is not valid now, or not in this form. */
export function invalidRequest(message: string, data?: unknown): RpcError {
  return new RpcError(acpCodes.invalidRequest, message, data);
}

import { acpCodes } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';

/** The error for an agent that was not allowed something: a code of our own, outside the protocol's ranges. */
const notAllowedCode = 403;

/** The error that says that something was not allowed, and why. */
export function notAllowed(action: string, reason: string): RpcError {
  return new RpcError(notAllowedCode, `Not allowed: ${action}: ${reason}`, { reason });
}

/** The error for a file or command that is not available. Nothing of the machine leaks with it. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  const { code, path, message } = error;
  const data = { reason: code, ...(path !== undefined && { path }) };
  // ACP v1 calls it so, and there are agents that know a missing file by these words only.
  const text = code === 'not-found' ? `Resource not found: ${message}` : message;
  return new RpcError(rpcCodeOf(code), text, data, { cause: error });
}

function rpcCodeOf(code: WorkspaceError['code']): number {
  switch (code) {
    case 'not-found':
      return acpCodes.resourceNotFound;
    case 'outside':
    case 'not-absolute':
    case 'invalid-path':
    case 'not-a-file':
    case 'not-a-directory':
    case 'is-a-directory':
    case 'not-empty':
    case 'too-large':
    case 'binary':
    case 'exists':
    case 'invalid-pattern':
    case 'changed':
    case 'not-started':
    case 'not-a-repository':
    case 'invalid-name':
    case 'in-use':
    case 'conflict':
    case 'unsaved':
    case 'expired':
    case 'in-progress':
    case 'nothing-to-commit':
    case 'refused':
      return acpCodes.invalidParams;
    case 'denied':
    case 'insecure':
    case 'no-space':
    case 'damaged':
    case 'unsupported':
    case 'closed':
    case 'no-git':
    case 'aborted':
    case 'failed':
      return acpCodes.internalError;
  }
}

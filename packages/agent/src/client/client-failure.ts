import { acpCodes, AcpError } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import { firstCharacters } from '../first-characters.ts';

/** The error code with which Parley's own host, and some other clients, reject a forbidden request. */
const notAllowedCode = 403;

/** Characters of a client's error message that are passed on. */
const messageChars = 500;

/** Converts a client's error to the failure of a tool call; other errors are unchanged. */
export function toClientFailure(action: string, error: unknown): unknown {
  if (!(error instanceof RpcError || error instanceof AcpError)) return error;
  const message = firstCharacters(error.message, messageChars);
  if (isRpc(error, notAllowedCode)) {
    const why =
      'What the mode of a session allows without asking, a client may still refuse by its own rules';
    return new AgentError('refused', `${action}: the client did not allow it: ${message}. ${why}`, {
      cause: error,
    });
  }
  return new AgentError('client-failed', `${action}: the client failed: ${message}`, { cause: error });
}

/** Whether the client reports that the file does not exist. */
export function isNotFound(error: unknown): boolean {
  return isRpc(error, acpCodes.resourceNotFound);
}

/** Whether the client may mean that the file does not exist, without using the protocol's code. */
export function isVague(error: unknown): boolean {
  return isRpc(error, acpCodes.internalError) || isRpc(error, acpCodes.invalidParams);
}

function isRpc(error: unknown, code: number): boolean {
  return error instanceof RpcError && error.code === code;
}

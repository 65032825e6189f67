import { acpCodes, AcpError } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { AgentError } from '../agent-error.ts';
import { firstCharacters } from '../first-characters.ts';

/** The code with which Parley's own host, and some other clients, say that something is not allowed. */
const notAllowedCode = 403;

/** Characters of a client's message that are passed on. */
const messageChars = 500;

/** What a client made of a request, as the failure of a tool call; an error that is none of the client's stays. */
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

/** Whether a client says that there is no such file. */
export function isNotFound(error: unknown): boolean {
  return isRpc(error, acpCodes.resourceNotFound);
}

/** Whether a client may have meant that there is no such file, without the protocol's code for it. */
export function isVague(error: unknown): boolean {
  return isRpc(error, acpCodes.internalError) || isRpc(error, acpCodes.invalidParams);
}

function isRpc(error: unknown, code: number): boolean {
  return error instanceof RpcError && error.code === code;
}

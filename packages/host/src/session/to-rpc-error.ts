import { AcpError, acpCodes, invalidRequest } from '@parley/acp';
import { RpcError, rpcCodes, WireError } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import { HostError } from '../host-error.ts';

/** A failure as a client of the hub receives it; undefined for one that is a fault of ours. */
export function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (error instanceof HostError) {
    const { code, message, stderr } = error;
    const data = { code, ...(stderr !== undefined && stderr !== '' && { stderr }) };
    return new RpcError(numberOf(error), message, data);
  }
  if (error instanceof AcpError) return invalidRequest(error.message, { code: error.code });
  if (error instanceof WorkspaceError) {
    return new RpcError(numberOfWorkspace(error), error.message, { code: error.code });
  }
  // An agent that crashed or is silent is no fault of ours, either.
  if (error instanceof WireError && error.code !== 'not-serializable') {
    return new RpcError(rpcCodes.internalError, error.message, { code: error.code });
  }
  return undefined;
}

function numberOf({ code }: HostError): number {
  switch (code) {
    case 'auth-required':
      return acpCodes.authRequired;
    case 'not-offered':
    case 'invalid-directory':
      return rpcCodes.invalidParams;
    case 'already-open':
    case 'handed-over':
    case 'turn-running':
    case 'not-supported':
    case 'nothing-to-undo':
    case 'no-checkpoint':
      return rpcCodes.invalidRequest;
    case 'not-stored':
    case 'not-installed':
    case 'not-held':
    case 'overloaded':
    case 'start-failed':
    case 'start-timeout':
    case 'unsupported-version':
    case 'agent-exited':
    case 'open-timeout':
    case 'request-timeout':
    case 'invalid-answer':
    case 'closed':
    case 'aborted':
    case 'failed':
      return rpcCodes.internalError;
  }
}

/** A refusal that protects work is no failure of ours. */
function numberOfWorkspace({ code }: WorkspaceError): number {
  const isRefusal = code === 'in-use' || code === 'conflict' || code === 'unsaved';
  return isRefusal ? rpcCodes.invalidRequest : rpcCodes.internalError;
}

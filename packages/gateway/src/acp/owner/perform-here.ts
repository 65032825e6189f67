import { methodNotFound } from '@parley/acp';
import type { Sender, TakenCommand } from '@parley/host';
import { RpcError, rpcCodes } from '@parley/wire';
import { scopes, type Principal } from '../../access/token.ts';
import type { HubSessions } from '../../hub/sessions/hub-sessions.ts';
import type { OwnerCall, OwnerRequest } from '../hub-call.ts';
import { passMessage } from '../pass-extension.ts';
import { changesRequests } from '../requests/changes-requests.ts';
import { hubRequests } from '../requests/hub-requests.ts';
import { sessionRequests } from '../requests/session-requests.ts';
import { fieldsOf, sessionIdOf } from '../session-fields.ts';
import { ownerRequests } from './owner-requests.ts';

/** Does what is asked of the owner of a session in this process. @throws {RpcError} */
export async function performHere(params: unknown, call: OwnerCall): Promise<object> {
  const { method, isRetaken = false } = call;
  const request = requestOf(method);
  if (isRetaken && request?.canRepeat !== true) {
    throw new RpcError(
      rpcCodes.internalError,
      `${method}: the machine that ran the session has ended; whether this was done is unknown`,
    );
  }
  if (request !== undefined) return request.run(params, call);
  if (method.startsWith('_parley/')) throw methodNotFound(method);
  const { params: passed, isNotification } = fieldsOf(params);
  const sessionId = sessionIdOf(params);
  return passMessage({ sessionId, params: passed, isNotification: isNotification === true }, call);
}

/** Does a command of another replica. @throws {RpcError} */
export async function performCommand(table: HubSessions, command: TakenCommand): Promise<object> {
  const { signal } = command;
  const { method, params, from, principal, isRetaken } = fieldsOf(command.body);
  if (typeof method !== 'string') throw new RpcError(rpcCodes.internalError, 'a command without a method');
  try {
    return await performHere(params, {
      method,
      table,
      signal,
      isRetaken: command.isRetaken || isRetaken === true,
      from: toSender(from),
      principal: toPrincipal(principal),
    });
  } catch (error) {
    // Only this process knows what its users typed for an agent.
    throw error instanceof RpcError ? table.agents.withoutSecrets(error) : error;
  }
}

/** The request of a method that owners know; undefined for one that is passed on to the agent. */
export function requestOf(method: string): OwnerRequest | undefined {
  const request =
    ownerRequests.get(method) ??
    sessionRequests.get(method) ??
    hubRequests.get(method) ??
    changesRequests.get(method);
  return request?.by === 'owner' ? request : undefined;
}

function toSender(value: unknown): Sender {
  const sender = fieldsOf(value);
  const { name, title, version } = fieldsOf(sender['client']);
  return {
    person: typeof sender['person'] === 'string' ? sender['person'] : 'parley',
    ...(typeof name === 'string' && {
      client: {
        name,
        ...(typeof title === 'string' && { title }),
        ...(typeof version === 'string' && { version }),
      },
    }),
  };
}

/** Without one it is a replica that asks. */
function toPrincipal(value: unknown): Principal {
  const { id, name, scope } = fieldsOf(value);
  const known = scopes.find((each) => each === scope);
  if (typeof id !== 'string' || typeof name !== 'string' || known === undefined) {
    return { id: 'token:replica', name: 'parley', scope: 'admin' };
  }
  return { id, name, scope: known };
}

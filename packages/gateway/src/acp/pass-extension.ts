import { methodNotFound } from '@parley/acp';
import type { HubCall, OwnerCall } from './hub-call.ts';
import { sessionIdOf } from './session-fields.ts';

/** Passes a message that the hub does not know on to the agent of its session, else of the session that was opened last. */
export interface PassedMessage {
  readonly sessionId: string;
  readonly params: unknown;
  readonly isNotification?: boolean;
}

/** A message that the hub does not know, for the agent of its session, else of the session that was opened last. */
export function toPassed(params: unknown, call: HubCall, isNotification = false): PassedMessage {
  return { sessionId: sessionFor(params, call), params, ...(isNotification && { isNotification }) };
}

/** Passes it on. */
export async function passMessage(
  { sessionId, params, isNotification = false }: PassedMessage,
  { table, method, signal }: OwnerCall,
): Promise<object> {
  const session = await table.steer(sessionId);
  return session.passOn(isNotification ? { method, params } : { method, params, signal });
}

/** @throws {RpcError} -32601: without a session there is no agent that could know the method. */
function sessionFor(params: unknown, { plain, method }: HubCall): string {
  const named = sessionIdOf(params);
  const sessionId = named === '' ? plain?.last : named;
  if (sessionId === undefined) throw methodNotFound(method);
  return sessionId;
}

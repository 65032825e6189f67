import { methodNotFound } from '@parley/acp';
import type { HubCall } from './hub-call.ts';
import { sessionIdOf } from './session-fields.ts';

/** Passes a request that the hub does not know on to the agent of its session, else of the session that was opened last. */
export async function passRequest(params: unknown, call: HubCall): Promise<object> {
  const { table, method, signal } = call;
  const session = await table.steer(sessionFor(params, call));
  return session.passOn({ method, params, signal });
}

/** The same for a notification. */
export async function passNotification(params: unknown, call: HubCall): Promise<void> {
  const session = await call.table.steer(sessionFor(params, call));
  await session.passOn({ method: call.method, params });
}

/** @throws {RpcError} -32601: without a session there is no agent that could know the method. */
function sessionFor(params: unknown, { plain, method }: HubCall): string {
  const named = sessionIdOf(params);
  const sessionId = named === '' ? plain?.last : named;
  if (sessionId === undefined) throw methodNotFound(method);
  return sessionId;
}

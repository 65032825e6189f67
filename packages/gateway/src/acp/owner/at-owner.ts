import { mayHoldSecret, type HostErrorCode, type Replica } from '@parley/host';
import { RpcError } from '@parley/wire';
import type { OwnerCall } from '../hub-call.ts';
import { fieldsOf, sessionIdOf } from '../session-fields.ts';
import { performHere, requestOf } from './perform-here.ts';

/** Has the owner of a session do something: this process, or another replica. @throws {RpcError} */
export async function atOwner(params: unknown, call: OwnerCall): Promise<object> {
  const { replicas } = call.table;
  const key = sessionIdOf(params);
  if (replicas === undefined || key === '') return performHere(params, call);
  const done = await replicas.here(key, () => performUnlessHandedOver(params, call));
  if (done?.result !== undefined) return done.result;
  const { body, hasSecret } = toCommand(params, call);
  // Where another owner has the session meanwhile, it joins what it finds of it.
  const isRetaken = done !== undefined;
  return replicas.send({ key, body: { ...body, ...(isRetaken && { isRetaken }) }, hasSecret }, call.signal);
}

/** Gives undefined where the session was handed over meanwhile. */
async function performUnlessHandedOver(params: unknown, call: OwnerCall): Promise<object | undefined> {
  try {
    return await performHere(params, call);
  } catch (error) {
    if (isHandedOver(error)) return undefined;
    throw error;
  }
}

/** Has one replica do something that concerns no session yet. @throws {RpcError} */
export async function atReplica(
  { id }: Pick<Replica, 'id'>,
  params: unknown,
  call: OwnerCall,
): Promise<object> {
  const { replicas } = call.table;
  if (replicas === undefined) return performHere(params, call);
  return replicas.send({ key: '', target: id, ...toCommand(params, call) }, call.signal);
}

function isHandedOver(error: unknown): boolean {
  return error instanceof RpcError && fieldsOf(error.data)['code'] === handedOver;
}

const handedOver: HostErrorCode = 'handed-over';

function toCommand(
  params: unknown,
  { method, table, from, principal }: OwnerCall,
): { readonly body: object; readonly hasSecret: boolean } {
  const holdsSecret = requestOf(method)?.mayHoldSecret ?? mayHoldSecret;
  return { body: { method, params, from, principal }, hasSecret: holdsSecret(params, table) };
}

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
  if (await replicas.isElsewhere(key)) return replicas.send({ key, ...toCommand(params, call) }, call.signal);
  try {
    return await performHere(params, call);
  } catch (error) {
    if (!isHandedOver(error)) throw error;
    // The next owner joins what it finds of it.
    const { body, hasSecret } = toCommand(params, call);
    return await replicas.send({ key, body: { ...body, isRetaken: true }, hasSecret }, call.signal);
  } finally {
    await replicas.settle(key);
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

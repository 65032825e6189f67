import { isRequestId } from '@parley/wire';
import { isObject } from '../schema/value.ts';

/** The session that a call is about, by its params. */
export function sessionOfCall(message: unknown): string | undefined {
  return isObject(message) ? sessionIn(message['params']) : undefined;
}

/** The session that an answer names: a new one, or a fork. */
export function sessionOfAnswer(message: unknown): string | undefined {
  return isObject(message) ? sessionIn(message['result']) : undefined;
}

/** What a request is remembered by until it is answered: `1` and `"1"` are two ids. */
export function requestKeyOf(message: unknown): string | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  return id !== undefined && isRequestId(id) ? JSON.stringify(id) : undefined;
}

/** The method of a call; an answer has none. */
export function methodOf(message: unknown): string | undefined {
  const method = isObject(message) ? message['method'] : undefined;
  return typeof method === 'string' ? method : undefined;
}

/** The request that a `$/cancel_request` cancels, as `requestKeyOf` writes it. */
export function cancelledKeyOf(message: unknown): string | undefined {
  if (methodOf(message) !== '$/cancel_request' || !isObject(message)) return undefined;
  const { params } = message;
  return isObject(params) ? requestKeyOf({ id: params['requestId'] }) : undefined;
}

/** Whether a session is over once the answer to this method came. */
export function endsSession(method: string | undefined): boolean {
  return method === 'session/close' || method === 'session/delete';
}

function sessionIn(value: unknown): string | undefined {
  const sessionId = isObject(value) ? value['sessionId'] : undefined;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

/** What a JSON-RPC message is. `unknown` is none of them. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'unknown';

/** A message, as far as its place in the conversation needs it. */
export interface MessageShape {
  readonly kind: MessageKind;
  /** As a key: 1 and "1" are two. */
  readonly id?: string;
  readonly method?: string;
  readonly session?: string;
  /** Of a `session/update`: what kind of update it is. */
  readonly update?: string;
  readonly toolCall?: string;
  /** Of a `$/cancel_request`: the id of what is to be cancelled. */
  readonly cancels?: string;
  /** Of an error. */
  readonly code?: number;
}

/** Sorts a message by its members. It is not judged: the wire also carries what is wrong. */
export function toShape(message: unknown): MessageShape {
  const method = textAt(message, 'method');
  const id = at(message, 'id');
  if (method !== undefined) {
    const asked = at(message, 'params');
    return {
      kind: id === undefined ? 'notification' : 'request',
      ...(id !== undefined && { id: toIdKey(id) }),
      method,
      ...placeOf(asked),
      ...(method === '$/cancel_request' && { cancels: toIdKey(at(asked, 'requestId')) }),
    };
  }
  if (id === undefined) return { kind: 'unknown' };
  const error = at(message, 'error');
  if (error !== undefined) {
    const code = at(error, 'code');
    return { kind: 'error', id: toIdKey(id), ...(typeof code === 'number' && { code }) };
  }
  const result = at(message, 'result');
  if (result === undefined) return { kind: 'unknown' };
  const session = textAt(result, 'sessionId');
  return { kind: 'result', id: toIdKey(id), ...(session !== undefined && { session }) };
}

/** What stands under a name, where the value is an object that has it. */
export function at(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return found;
}

function textAt(value: unknown, name: string): string | undefined {
  const found = at(value, name);
  return typeof found === 'string' ? found : undefined;
}

function toIdKey(id: unknown): string {
  return id === undefined ? '' : JSON.stringify(id);
}

function placeOf(asked: unknown): Pick<MessageShape, 'session' | 'update' | 'toolCall'> {
  const session = textAt(asked, 'sessionId');
  const told = at(asked, 'update');
  const update = textAt(told, 'sessionUpdate');
  const toolCall = textAt(told, 'toolCallId') ?? textAt(at(asked, 'toolCall'), 'toolCallId');
  return {
    ...(session !== undefined && { session }),
    ...(update !== undefined && { update }),
    ...(toolCall !== undefined && { toolCall }),
  };
}

import { isJsonObject } from './json-object.ts';

/**
 * A JSON-RPC id. ACP v1 allows `null`, but discourages it. Fractions, and numbers that a double cannot represent
 * exactly, are rejected. Source: JSON-RPC 2.0, section 4; ACP v1 schema, RequestId.
 */
export type RequestId = string | number | null;

/** A call that expects a response. */
export interface RequestMessage {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A call without a response. */
export interface NotificationMessage {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: unknown;
}

/** A response with a result. */
export interface ResultMessage {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: unknown;
}

/** A response with an error. */
export interface ErrorMessage {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly error: RpcErrorObject;
}

/** The `error` member of a response. Source: JSON-RPC 2.0, section 5.1. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Any JSON-RPC message that this package writes. */
export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;

/** A received message, with the fields that one `switch` needs. */
export type Incoming =
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: RpcErrorObject }
  | { readonly kind: 'bad-answer'; readonly id: RequestId; readonly why: string }
  | { readonly kind: 'invalid'; readonly why: string; readonly isRequest: boolean };

/** A received call without a response. */
export type IncomingNotification = Extract<Incoming, { readonly kind: 'notification' }>;

/** The members a JSON-RPC object may have; nothing is known of them yet. */
interface Envelope {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Sorts a parsed JSON value into what JSON-RPC 2.0 can mean by it. */
export function parseMessage(value: unknown): Incoming {
  if (typeof value !== 'object' || value === null) return invalid('the message is not an object');
  if (Array.isArray(value)) return invalid('batches are not part of ACP');
  const message: Envelope = value;
  if (message.jsonrpc !== '2.0') return invalid('"jsonrpc" is not "2.0"');
  const { id, method } = message;
  if (typeof method === 'string') {
    const isRequest = id !== undefined;
    if (message.result !== undefined || message.error !== undefined) {
      return invalid('the message is a call and an answer at once', isRequest);
    }
    const { params } = message;
    if (params !== undefined && typeof params !== 'object') {
      return invalid('"params" is not an object or a list', isRequest);
    }
    if (!isRequest) return { kind: 'notification', method, params };
    if (!isRequestId(id)) return invalid(`"id" is ${describeId(id)}`, isRequest);
    return { kind: 'request', id, method, params };
  }
  if (method !== undefined) return invalid('"method" is not a string');
  if (message.params !== undefined) return invalid('the message has "params" and no "method"');
  if (id === undefined) return invalid('the message has neither "method" nor "id"');
  if (!isRequestId(id)) return invalid(`"id" is ${describeId(id)}`);
  return parseAnswer(id, message);
}

/** Checks that a parsed JSON value is a JSON-RPC 2.0 message. */
export function isMessage(value: unknown): value is Message {
  const { kind } = parseMessage(value);
  return kind !== 'invalid' && kind !== 'bad-answer';
}

/** Checks that an id can be returned exactly as received. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || id === null || (typeof id === 'number' && Number.isSafeInteger(id));
}

/** The id of a rejected message that can only be a request; else null. */
export function idOfInvalidRequest(value: unknown): RequestId {
  if (!isJsonObject(value) || value['result'] !== undefined || value['error'] !== undefined) return null;
  const { id } = value;
  return isRequestId(id) ? id : null;
}

function parseAnswer(id: RequestId, message: Envelope): Incoming {
  const { result, error } = message;
  if (error === undefined) {
    if (result === undefined) {
      return { kind: 'bad-answer', id, why: 'the answer has neither "result" nor "error"' };
    }
    return { kind: 'result', id, result };
  }
  if (result !== undefined) {
    return { kind: 'bad-answer', id, why: 'the answer has both "result" and "error"' };
  }
  if (!isRpcErrorObject(error)) return { kind: 'bad-answer', id, why: '"error" is not {code, message}' };
  return { kind: 'error', id, error };
}

function isRpcErrorObject(error: unknown): error is RpcErrorObject {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    Number.isInteger(error.code) &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

function describeId(id: unknown): string {
  if (typeof id === 'number') {
    return Number.isInteger(id) ? 'a number beyond 2^53 - 1' : 'a fraction';
  }
  return 'neither a string, nor a whole number, nor null';
}

function invalid(why: string, isRequest = false): Incoming {
  return { kind: 'invalid', why, isRequest };
}

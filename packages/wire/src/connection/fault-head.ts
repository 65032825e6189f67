import { isRequestId, type RequestId } from '../message.ts';

/** What the first characters of an over-long frame still reveal. */
export type FaultHead =
  | { readonly kind: 'request'; readonly id: RequestId }
  | { readonly kind: 'answer'; readonly id: RequestId };

/**
 * Reads the id from the start of a frame that is too long to be read whole, so that the request is answered or
 * settled instead of waiting for ever. Only the order in which JSON-RPC messages are usually written is known.
 */
export function readFaultHead(head: string): FaultHead | undefined {
  const match = headPattern.exec(head);
  if (match === null) return undefined;
  const [, idText = '', member] = match;
  const id: unknown = JSON.parse(idText);
  if (!isRequestId(id)) return undefined;
  return { kind: member === 'method' ? 'request' : 'answer', id };
}

const headPattern =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\[^u])*"|-?\d+)\s*,\s*"(method|result|error)"\s*:/;

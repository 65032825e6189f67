import type { RpcError } from '@parley/wire';

/**
 * Characters of an agent's error message that are passed on: some agents include a complete response of their
 * provider.
 */
const maxReasonLength = 1000;

/** The reason of an agent's error, which many agents send only in its data: "Internal error" says nothing. */
export function toRefusalText({ message, data }: RpcError): string {
  const reason = reasonIn(data)?.trim() ?? '';
  if (reason === '' || message.includes(reason)) return message;
  const text = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason;
  return text.startsWith(message) ? text : `${message}: ${text}`;
}

/** The fields of error data that may contain the reason, in order of preference. */
const reasonMembers = ['details', 'message', 'error', 'reason'];

function reasonIn(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return undefined;
  const reasons: readonly unknown[] = reasonMembers.map((member): unknown => Reflect.get(data, member));
  return reasons.find((reason) => typeof reason === 'string');
}

import type { RpcError } from '@parley/wire';

/** How much of a reason is passed on: some agents put a whole answer of their provider there. */
const maxReasonLength = 1000;

/** What an agent says when it refuses, with the reason that many give only in the data of the error: "Internal error" is none. */
export function toRefusalText({ message, data }: RpcError): string {
  const reason = reasonIn(data)?.trim() ?? '';
  if (reason === '' || message.includes(reason)) return message;
  const text = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}…` : reason;
  return text.startsWith(message) ? text : `${message}: ${text}`;
}

/** The members in which agents give it, in the order in which they are looked for. */
const reasonMembers = ['details', 'message', 'error', 'reason'];

function reasonIn(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return undefined;
  const reasons: readonly unknown[] = reasonMembers.map((member): unknown => Reflect.get(data, member));
  return reasons.find((reason) => typeof reason === 'string');
}

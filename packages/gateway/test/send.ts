import type { AapServer } from '@parley/aap/server';

/** Sends a request to a server, and reads the answer as JSON, with its status. */
export async function send(
  server: AapServer,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await server.handle(new Request(`http://localhost${path}`, init));
  const value: unknown = await response.json();
  if (typeof value !== 'object' || value === null) throw new Error(`${path}: no object`);
  return { status: response.status, ...value };
}

/** A call that waits for the application. */
export interface HeldCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly input: unknown;
}

/** The calls of the last message of a turn. */
export function heldCalls(messages: unknown): readonly HeldCall[] {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content: unknown = typeof last === 'object' && last !== null && 'content' in last ? last.content : [];
  return Array.isArray(content) ? content.filter(isCall) : [];
}

function isCall(block: unknown): block is HeldCall {
  return typeof block === 'object' && block !== null && 'type' in block && block.type === 'tool_use';
}

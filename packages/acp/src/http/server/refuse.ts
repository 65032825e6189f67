import type { RequestId } from '@parley/wire';
import { jsonType } from '../headers.ts';

/** An error response, with a line of text for the user. */
export function refuse(status: number, why: string, headers: Record<string, string> = {}): Response {
  return new Response(`${why}\n`, { status, headers: { 'Content-Type': 'text/plain', ...headers } });
}

/** A response that says no as JSON-RPC does: to a request, or to what could not be read as one. */
export function refuseMessage(
  status: number,
  { id = null, code, message }: { readonly id?: RequestId; readonly code: number; readonly message: string },
): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  return new Response(body, { status, headers: { 'Content-Type': jsonType } });
}

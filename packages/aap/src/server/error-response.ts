import type { ErrorBody } from '../endpoint.ts';
import { toJson } from './endpoints/exchange.ts';
import { RequestError } from './request-error.ts';
import { AapServerError } from './server-error.ts';
import type { ServerEvent } from './server-event.ts';

/** The response to a failed request, for errors of either side. */
export function toErrorResponse(
  error: unknown,
  requestId: string,
  observe: (event: ServerEvent) => void,
): Response {
  if (error instanceof RequestError) return toResponse(error, requestId);
  observe({ type: 'fault', message: 'a request failed', requestId, cause: error });
  const isStore = error instanceof AapServerError && error.code === 'store-failed';
  const refusal = isStore
    ? new RequestError(
        503,
        'store_failed',
        'the server cannot store this now, and did nothing: try again later',
        {
          headers: { 'retry-after': '5' },
        },
      )
    : new RequestError(500, 'internal_error', 'the server failed');
  return toResponse(refusal, requestId);
}

function toResponse({ status, code, message, details, headers }: RequestError, requestId: string): Response {
  const body: ErrorBody = { error: message, code, requestId, ...(details !== undefined && { details }) };
  return toJson(body, { status, headers });
}

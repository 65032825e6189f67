/** Headers of requests that pages from elsewhere may set. */
const allowedHeaders =
  'authorization, content-type, last-event-id, idempotency-key, acp-connection-id, acp-session-id, acp-protocol-version, traceparent, tracestate';

/** Headers of answers that such pages may read. */
const exposedHeaders =
  'aap-turn-id, aap-version, x-request-id, location, retry-after, allow, acp-connection-id, acp-session-id';

/** The response to a preflight request, which comes without a token and so before any other check. */
export function answerPreflight(request: Request): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '600',
    },
  });
}

/** What a page of an allowed origin may see of an answer. The cookie is for our own page only: no credentials. */
export function corsHeaders(origin: string): readonly (readonly [name: string, value: string])[] {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', exposedHeaders],
  ];
}

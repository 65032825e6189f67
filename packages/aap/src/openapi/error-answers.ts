import type { RequestErrorCode } from '../server/request-error.ts';

/** A status that is a refusal. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** What each refusal means. */
const meanings: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is not what it should be; the message says where.',
  401: 'The key is missing or wrong.',
  403: 'The key may not do that.',
  404: 'The session, the turn or the type of history does not exist.',
  405: 'The path has other methods; the header `Allow` lists them.',
  406: 'The header `Accept` leaves out what the answer would be.',
  409: 'It does not fit what the session does.',
  413: 'The request is too large.',
  415: 'The request is not JSON.',
  422: 'The key was used for another request.',
  429: 'Too many requests; the header `Retry-After` says when to come again.',
  500: 'The server failed.',
  503: 'The server is shutting down, or its store cannot be written.',
};

/** The status that each code comes with. The last one is of servers that count requests. */
const statuses: Readonly<Record<RequestErrorCode | 'rate_limited', ErrorStatus>> = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  invalid_option: 400,
  invalid_tool_schema: 400,
  unknown_agent: 400,
  unknown_tool: 400,
  unknown_option: 400,
  unknown_tool_call: 400,
  duplicate_tool: 400,
  incomplete_tool_results: 400,
  unsupported_stream_mode: 400,
  unsupported_tools: 400,
  unsupported_image: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unknown_session: 404,
  unknown_turn: 404,
  unsupported_history_type: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  secret_needed: 409,
  tool_call_resolved: 409,
  turn_in_progress: 409,
  agent_gone: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  shutting_down: 503,
  store_failed: 503,
};

/** What a server refuses, by status, with the codes there are. */
export const errorAnswers: ReadonlyMap<ErrorStatus, string> = new Map(
  Object.values(statuses).map((status) => [status, describe(status)]),
);

function describe(status: ErrorStatus): string {
  const codes = Object.entries(statuses).flatMap(([code, of]) => (of === status ? [`\`${code}\``] : []));
  return `${meanings[status]} ${codes.length === 1 ? 'Code' : 'Codes'}: ${codes.join(', ')}.`;
}

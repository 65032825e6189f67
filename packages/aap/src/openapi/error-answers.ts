/** What a server refuses, by status, with the codes there are. */
export const errorAnswers = {
  400: 'The request is not what it should be: `details` and the message say where. Codes: `invalid_request`, `invalid_json`, `unknown_agent`, `unknown_tool`, `duplicate_tool`, `invalid_tool_schema`, `unknown_option`, `invalid_option`, `invalid_cursor`, `unsupported_stream_mode`, `unsupported_tools`, `unsupported_image`, `unknown_tool_call`, `incomplete_tool_results`.',
  401: 'The key is missing or wrong. Code: `unauthorized`.',
  403: 'The key may not do that. Code: `forbidden`.',
  404: 'There is no such session, turn or kind of history. Codes: `unknown_session`, `unknown_turn`, `unsupported_history_type`, `not_found`.',
  409: 'It does not fit what the session does. Codes: `turn_in_progress`, `tool_call_resolved`, `secret_needed`, `agent_gone`.',
  413: 'The request is too large. Code: `body_too_large`.',
  415: 'The request is no JSON. Code: `unsupported_media_type`.',
  422: 'The key was used for another request. Code: `idempotency_key_reused`.',
  500: 'The server failed. Code: `internal_error`.',
  503: 'The server is about to end, or cannot keep what is said. Codes: `shutting_down`, `store_failed`.',
} as const;

/** A status that is a refusal. */
export type ErrorStatus = keyof typeof errorAnswers;

/** The error code of a rejected request. */
export type RequestErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'not_acceptable'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'unknown_agent'
  | 'unknown_session'
  | 'unknown_turn'
  | 'unknown_tool'
  | 'duplicate_tool'
  | 'invalid_tool_schema'
  | 'unknown_option'
  | 'invalid_option'
  | 'secret_needed'
  | 'unsupported_stream_mode'
  | 'unsupported_history_type'
  | 'unsupported_tools'
  | 'unsupported_image'
  | 'unknown_tool_call'
  | 'tool_call_resolved'
  | 'incomplete_tool_results'
  | 'turn_in_progress'
  | 'idempotency_key_reused'
  | 'invalid_cursor'
  | 'agent_gone'
  | 'shutting_down'
  | 'store_failed'
  | 'internal_error';

/** What goes along with a refusal. */
export interface RequestErrorOptions extends ErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request is no. The message is for the application's developer, and is sent. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly code: RequestErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: RequestErrorCode, message: string, options: RequestErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = code;
    if (options.details !== undefined) this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

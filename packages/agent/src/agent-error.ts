/** Why the agent could not do something. */
export type AgentErrorCode =
  | 'invalid-input'
  | 'unknown-tool'
  | 'unknown-job'
  | 'no-match'
  | 'ambiguous-match'
  | 'refused'
  /** A file or folder is not what the user was shown. */
  | 'changed'
  /** The client, through which a file should be read or written, has no such file. */
  | 'not-found'
  /** What the client has is no text. */
  | 'binary'
  | 'too-large'
  /** The client failed to serve a request, or violated the protocol. */
  | 'client-failed'
  /** Another process has the session open. */
  | 'session-busy'
  /** The file of a session cannot be read. */
  | 'session-damaged'
  | 'limit'
  /** A command was not started, because its sandbox could not hold it. */
  | 'not-held'
  | 'model-failed'
  /** The provider says that the conversation is too long for its model. */
  | 'context-overflow'
  | 'unknown-provider'
  | 'unknown-model';

/** What the agent tried and could not do; inside a tool call it becomes a `failed` update, never an answer to a request. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A request of ACP that a client of the session can serve in place of the host: files and terminals. */
export type ClientServiceMethod =
  | 'fs/read_text_file'
  | 'fs/write_text_file'
  | 'terminal/create'
  | 'terminal/output'
  | 'terminal/wait_for_exit'
  | 'terminal/kill'
  | 'terminal/release';

/** Sends a request to the client that serves it. */
export type ServeByClient = (
  method: ClientServiceMethod,
  params: object,
  signal: AbortSignal,
) => Promise<unknown>;

/** The clients of a session, as seen by its agent. */
export interface AgentClients {
  /** Returns the client that serves these requests for a session; undefined if the host serves them. */
  serving(
    sessionId: string,
    method: 'fs/read_text_file' | 'fs/write_text_file' | 'terminal/create',
  ): ServeByClient | undefined;
  /**
   * Handles a request that is not part of the protocol.
   *
   * @throws {RpcError} -32601: no client supports it.
   */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Handles a notification that is not part of the protocol. */
  notify(method: string, params: unknown): void;
}

/** A request of ACP that a client of a session may serve in the place of the host: files and terminals. */
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

/** The clients of a session, as its agent reaches them through the host. */
export interface AgentClients {
  /** The client that serves these requests for a session of the agent; undefined where the host serves them. */
  serving(
    sessionId: string,
    method: 'fs/read_text_file' | 'fs/write_text_file' | 'terminal/create',
  ): ServeByClient | undefined;
  /**
   * Answers a request that is not part of the protocol.
   *
   * @throws {RpcError} -32601: no client carries it out.
   */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Takes a notification that is not part of the protocol. */
  notify(method: string, params: unknown): void;
}

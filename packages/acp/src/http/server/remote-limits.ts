/** Limits of a remote ACP server. */
export interface RemoteLimits {
  /** Length of a client's message in bytes; a longer one is rejected with 413. @default 80 MiB */
  readonly maxMessageBytes: number;
  /** Characters that wait for a client before the agent has to wait. @default 4 Mi */
  readonly unreadSoft: number;
  /** Messages of one client that wait for a slow agent; more are rejected with 503. @default 256 */
  readonly waitingPosts: number;
  /** Requests of one client without a response; more are rejected with 503. @default 65536 */
  readonly openRequests: number;
  /** Session streams of one connection; more are rejected with 429. @default 1024 */
  readonly sessionStreams: number;
  /** Simultaneous connections; more are rejected with 503. @default 1024 */
  readonly connections: number;
  /** Interval of comments on a quiet stream, which keep proxies from closing it. @default 15000 */
  readonly heartbeatMs: number;
  /** Duration of a connection without a stream or a request. @default 60000 */
  readonly idleMs: number;
  /** Duration of an agent's response to `initialize`. @default 300000 */
  readonly initializeMs: number;
}

/** The default limits. */
export const defaultRemoteLimits: RemoteLimits = {
  maxMessageBytes: 80 * 1024 * 1024,
  unreadSoft: 4 * 1024 * 1024,
  waitingPosts: 256,
  openRequests: 65_536,
  sessionStreams: 1024,
  connections: 1024,
  heartbeatMs: 15_000,
  idleMs: 60_000,
  initializeMs: 300_000,
};

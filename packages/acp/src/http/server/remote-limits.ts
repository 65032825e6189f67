/** The bounds of remote ACP on the server's side. Each has its line in LIMITS.md. */
export interface RemoteLimits {
  /** The longest message of a client, in bytes; a longer one is answered 413. @default 80 MiB */
  readonly maxMessageBytes: number;
  /** Characters that wait for a client to read them, before the agent has to wait. @default 4 Mi */
  readonly unreadSoft: number;
  /** Messages of one client that wait for a slow agent; more are answered 503. @default 256 */
  readonly waitingPosts: number;
  /** Requests of one client without an answer; more are answered 503. @default 65536 */
  readonly openRequests: number;
  /** Session streams of one connection; more are answered 429. @default 1024 */
  readonly sessionStreams: number;
  /** Connections at once; more are answered 503. @default 1024 */
  readonly connections: number;
  /** How often a quiet stream carries a comment, so that what is between keeps it open. @default 15000 */
  readonly heartbeatMs: number;
  /** How long a connection may have no stream and no request. @default 60000 */
  readonly idleMs: number;
  /** How long an agent may take for its answer to `initialize`. @default 300000 */
  readonly initializeMs: number;
}

/** The bounds unless an option says otherwise. */
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

/** The bounds of a connection. Each has its line in LIMITS.md. */
export interface Limits {
  /** Messages waiting for a slow notification handler, before reading pauses. @default 1024 */
  readonly queuedMessages: number;
  /** Bytes of messages waiting for a slow notification handler, before reading pauses. @default 4 MiB */
  readonly queuedBytes: number;
  /** Requests of the peer being handled at once; more are answered -32603. @default 1024 */
  readonly incomingRequests: number;
  /** Our requests without an answer; more are refused here. @default 65536 */
  readonly outgoingRequests: number;
  /** Characters waiting to be written, before `notify` waits. @default 64 Ki */
  readonly unsentSoft: number;
  /** Characters waiting to be written, before sending is refused. One message may be longer. @default 16 Mi */
  readonly unsentHard: number;
  /** How long the peer may read nothing while something waits for it. @default 120000 */
  readonly stallMs: number;
  /** How long handlers may still answer after the end of input, and their answers may take to leave. @default 2000 */
  readonly endMs: number;
}

/** The bounds unless an option says otherwise. */
export const defaultLimits: Limits = {
  queuedMessages: 1024,
  queuedBytes: 4 * 1024 * 1024,
  incomingRequests: 1024,
  outgoingRequests: 65_536,
  unsentSoft: 64 * 1024,
  unsentHard: 16 * 1024 * 1024,
  stallMs: 120_000,
  endMs: 2000,
};

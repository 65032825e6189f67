/** Limits of a connection. */
export interface Limits {
  /** Messages that wait for a slow notification handler before reading pauses. @default 1024 */
  readonly queuedMessages: number;
  /** Bytes of messages that wait for a slow notification handler before reading pauses. @default 4 MiB */
  readonly queuedBytes: number;
  /** Requests of the peer that are handled at the same time; more are rejected with -32603. @default 1024 */
  readonly incomingRequests: number;
  /** Sent requests without a response; more are rejected locally. @default 65536 */
  readonly outgoingRequests: number;
  /** Unwritten characters before `notify` waits. @default 64 Ki */
  readonly unsentSoft: number;
  /** Unwritten characters before sending is rejected. A single message may be longer. @default 16 Mi */
  readonly unsentHard: number;
  /** Milliseconds without the peer reading while data waits for it, before the connection fails. @default 120000 */
  readonly stallMs: number;
  /**
   * Milliseconds for handlers to respond after the end of input, and for their responses to be written. @default 2000
   */
  readonly endMs: number;
}

/** The default limits. */
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

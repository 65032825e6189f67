/** Bounds of one session. */
export interface SessionLimits {
  /** Prompts in the queue of a session; more are rejected. @default 50 */
  readonly queuedPrompts: number;
  /** Characters of all prompts in the queue of a session, as JSON; more are rejected. @default 16 Mi */
  readonly queuedLength: number;
  /** Open questions of one session; more are dismissed. @default 256 */
  readonly questions: number;
  /** Stored characters of an agent's standard error for one session; the oldest are dropped. @default 64 Ki */
  readonly logLength: number;
  /** Buffered characters of a running command's output. @default 256 Ki */
  readonly terminalLength: number;
  /** Bytes of the stored frames of one session; beyond that, the older half is dropped. @default 32 MiB */
  readonly frameBytes: number;
  /** Characters of a session's frames that wait to be sent or written. @default 4 Mi */
  readonly heldFrameLength: number;
}

/** The bounds of a session unless an option says otherwise. */
export const defaultSessionLimits: SessionLimits = {
  queuedPrompts: 50,
  queuedLength: 16 * 1024 * 1024,
  questions: 256,
  logLength: 64 * 1024,
  terminalLength: 256 * 1024,
  frameBytes: 32 * 1024 * 1024,
  heldFrameLength: 4 * 1024 * 1024,
};

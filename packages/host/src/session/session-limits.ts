/** The bounds of one session. Each has its line in LIMITS.md. */
export interface SessionLimits {
  /** Prompts that wait in a session's queue; more are refused. @default 50 */
  readonly queuedPrompts: number;
  /** Characters of the prompts in a session's queue, as JSON; a prompt that would be more is refused. @default 16 Mi */
  readonly queuedLength: number;
  /** Questions of one session that wait for a user; more are dismissed. @default 256 */
  readonly questions: number;
  /** Characters of what an agent wrote to standard error, of one session; the oldest are dropped. @default 64 Ki */
  readonly logLength: number;
  /** Characters of what a command wrote that are held while it runs. @default 256 Ki */
  readonly terminalLength: number;
  /** Bytes of the frames of one session that are kept on disk; the oldest half is dropped for more. @default 32 MiB */
  readonly frameBytes: number;
  /** Characters of the frames of one session that are held for who watches, or wait to be written. @default 4 Mi */
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

/** How many agent processes there may be, and who has one. A session that has none waits for a place. */
export interface AgentPool {
  /**
   * Waits for a place, in turn.
   *
   * @throws When the signal is aborted, or the pool has no hope of a place, or has had none for too long.
   */
  acquire(user: SlotUser, options: AcquireOptions): Promise<AgentSlot>;
}

/** The user of a slot: it runs an agent process in it. */
export interface SlotUser {
  readonly sessionId: string;
  /**
   * Ends the process, and gives the slot back: another session needs it. Asked for only between `idle()` or `pause()` and
   * `use()`, and once. Never rejects.
   */
  stop(): Promise<void>;
}

/** How long a place is wanted. */
export interface AcquireOptions {
  readonly signal: AbortSignal;
  /** How long is waited for one, at most as long as the pool allows. @default as long as that */
  readonly waitMs?: number;
  /** There is none yet; what is given is how long is waited for one at most. */
  readonly onWait?: (waitMs: number) => void;
  /** There is none yet, and so many wait before this one; called again when they are fewer. */
  readonly onAhead?: (ahead: number) => void;
}

/** Room for one process. It is in use from the beginning. */
export interface AgentSlot {
  /** Nothing is being done: from now on its process may be stopped at any time. */
  idle(): void;
  /** It waits for an answer: once that has taken a while, its process may be stopped if another session needs the slot. */
  pause(): void;
  /** It is needed again. False when it is being stopped: another place has to be acquired. */
  use(): boolean;
  /** The process has ended. A second time it does nothing. */
  release(): void;
}

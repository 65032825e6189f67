/** Limits the number of agent processes. A session without a process waits for a slot. */
export interface AgentPool {
  /**
   * Waits for a slot, in order.
   *
   * @throws When the signal is aborted, or no slot is available in time.
   */
  acquire(user: SlotUser, options: AcquireOptions): Promise<AgentSlot>;
}

/** The user of a slot, who runs an agent process in it. */
export interface SlotUser {
  readonly sessionId: string;
  /**
   * Ends the process and releases the slot, because another session needs it. Called at most once, and only between
   * `idle()` or `pause()` and `use()`. Never rejects.
   */
  stop(): Promise<void>;
}

/** Options for waiting for a slot. */
export interface AcquireOptions {
  readonly signal: AbortSignal;
  /** Maximum time to wait, up to the limit of the pool. @default the limit of the pool */
  readonly waitMs?: number;
  /** Called with the maximum wait if no slot is free. */
  readonly onWait?: (waitMs: number) => void;
  /** Called with the number of sessions ahead in the queue if no slot is free, and whenever it decreases. */
  readonly onAhead?: (ahead: number) => void;
}

/** A slot for one process. It starts in use. */
export interface AgentSlot {
  /** Marks the slot as idle: its process may be stopped at any time. */
  idle(): void;
  /**
   * Marks the slot as waiting for an answer: after a while, its process may be stopped if another session needs the
   * slot.
   */
  pause(): void;
  /** Marks the slot as in use. False if it is being stopped: another slot must be acquired. */
  use(): boolean;
  /** Releases the slot after the process has ended. Further calls do nothing. */
  release(): void;
}

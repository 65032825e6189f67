/** Time, handed in so that a test can hold it still. */
export interface Clock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls once, after a while. Returns what stops it. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

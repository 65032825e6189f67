/** A source of time, passed in so that tests can control it. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Calls a function once after a delay. Returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void;
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

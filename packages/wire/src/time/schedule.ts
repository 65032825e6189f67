/** Runs a function once, after what is running now and everything it awaits that is done already. */
export type Schedule = (run: () => void) => void;

interface Macrotasks {
  readonly setImmediate?: (run: () => void) => unknown;
  readonly setTimeout: (run: () => void) => unknown;
}

/**
 * The end of this tick: `setImmediate` where there is one (Node), else a timer.
 * A microtask would come too early: a loop that awaits each `notify` would then write each message by itself.
 */
export const atEndOfTick: Schedule = endOfTick(globalThis);

function endOfTick({ setImmediate, setTimeout }: Macrotasks): Schedule {
  const later = setImmediate ?? setTimeout;
  return (run) => void later(run);
}

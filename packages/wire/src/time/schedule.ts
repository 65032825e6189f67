/** Runs a function once, after the current code and all promises that are already settled. */
export type Schedule = (run: () => void) => void;

interface Macrotasks {
  readonly setImmediate?: (run: () => void) => unknown;
  readonly setTimeout: (run: () => void) => unknown;
}

/**
 * The end of the tick: `setImmediate` where it exists (Node), else a timer. A microtask would be too early: a loop
 * that awaits each `notify` would write each message separately.
 */
export const atEndOfTick: Schedule = endOfTick(globalThis);

function endOfTick({ setImmediate, setTimeout }: Macrotasks): Schedule {
  const later = setImmediate ?? setTimeout;
  return (run) => void later(run);
}

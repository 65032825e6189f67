/**
 * The time from one write of a file to the next, in milliseconds: at least as long as wanted, and several times what the last write took,
 * up to a limit. With many files in a busy process, each line would otherwise have a write of its own.
 *
 * @param tookMs How long the last write took, with its wait for a thread.
 */
export function pauseAfter(tookMs: number, leastMs: number, mostMs: number): number {
  return Math.max(leastMs, Math.min(timesOfWrite * tookMs, mostMs));
}

const timesOfWrite = 4;

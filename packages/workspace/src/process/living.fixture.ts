import { readFileSync } from 'node:fs';

/** Whether a process is running; one that has ended and waits to be collected is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The process ids that a command printed, in lines of their own. */
export function printedIds(output: string): readonly number[] {
  return output
    .split('\n')
    .filter((line) => /^[0-9]+$/.test(line))
    .map(Number);
}

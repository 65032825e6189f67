import { execFileSync } from 'node:child_process';
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

/** Whether a process was stopped by a signal, as by SIGSTOP. */
export function isStopped(pid: number): boolean {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');
}

/** The process ids that a command printed, in lines of their own. */
export function printedIds(output: string): readonly number[] {
  return output
    .split('\n')
    .filter((line) => /^[0-9]+$/.test(line))
    .map(Number);
}

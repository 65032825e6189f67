import { execFileSync } from 'node:child_process';

/** Whether a process is running; zombies are not. */
export function isRunning(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    // `ps` fails when there is no such process.
    return false;
  }
}

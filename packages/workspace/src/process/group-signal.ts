import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../error.ts';
import { hasLivingMembers } from './group-members.ts';

/** Whether child processes get their own process group; Windows has none. */
export const hasProcessGroups: boolean = process.platform !== 'win32';

/** Signals a whole process group. False when no process is left in it. */
export function signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (hasProcessGroups) return send(groupId, signal);
  // Windows has no TERM for a console program: both signals end the process tree at once.
  const killer = spawn('taskkill', ['/pid', String(groupId), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  killer.on('error', () => {
    // Without taskkill there is nothing more that could be done.
  });
  return true;
}

/** Waits until no process is left in the group, at most `timeoutMs`. False when one still is. */
export async function groupGone(groupId: number, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  let pauseMs = 1;
  while (send(groupId, 0) && (await hasLivingMembers(groupId))) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(pauseMs * 2, 50);
  }
  return true;
}

function send(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: the process exists, but we may not signal it.
    return systemCode(error) === 'EPERM';
  }
}

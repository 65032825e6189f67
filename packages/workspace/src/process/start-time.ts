import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process began, in words that only serve to distinguish two processes of the same id. Undefined when it does not
 * run, or the system does not report it.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    switch (process.platform) {
      case 'linux':
        return ticksOf(await readFile(`/proc/${String(pid)}/stat`, 'utf8'));
      case 'win32':
        return undefined;
      default: {
        const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
        return stdout.trim() === '' ? undefined : stdout.trim();
      }
    }
  } catch {
    // It has ended.
    return undefined;
  }
}

/** proc(5): field 22, in ticks since boot. The name in field 2 may contain spaces and brackets. */
function ticksOf(status: string): string | undefined {
  const [state, ...fields] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // It has ended, and was not collected by its parent.
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether a process and its descendants use the processor. */
export type ProcessLoad = 'busy' | 'idle';

/** From here on they count as busy: two ticks of a hundredth of a second. A runtime that only waits uses less. */
const busyTicks = 2;

/**
 * Measures for a while whether a process, its group or their descendants use the processor. Undefined except on
 * Linux.
 */
export async function processLoad(pid: number, lookMs: number): Promise<ProcessLoad | undefined> {
  const before = await ticksOf(pid);
  await delay(lookMs);
  const after = await ticksOf(pid);
  if (before === undefined || after === undefined) return undefined;
  // Those that ended meanwhile take their ticks with them.
  return after - before >= busyTicks ? 'busy' : 'idle';
}

interface ProcessTicks {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly ticks: number;
}

/** The time all of them have used. */
async function ticksOf(head: number): Promise<number | undefined> {
  try {
    const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const processes = (await Promise.all(names.map(readTicks))).filter((read) => read !== undefined);
    const family = new Set([head]);
    for (let size = 0; size < family.size;) {
      size = family.size;
      for (const { pid, parent, group } of processes) {
        if (family.has(parent) || group === head) family.add(pid);
      }
    }
    return processes.reduce((sum, { pid, ticks }) => (family.has(pid) ? sum + ticks : sum), 0);
  } catch {
    // There is no /proc.
    return undefined;
  }
}

async function readTicks(name: string): Promise<ProcessTicks | undefined> {
  try {
    const status = await readFile(`/proc/${name}/stat`, 'utf8');
    // proc(5), behind the name: state, parent, group; user and system time are fields 14 and 15.
    const fields = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0, group = 0] = fields;
    return { pid: Number(name), parent, group, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
  } catch {
    // It ended since the list was made.
    return undefined;
  }
}

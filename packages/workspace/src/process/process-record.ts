import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { groupGone, hasProcessGroups, signalGroup } from './group-signal.ts';
import { startTimeOf } from './start-time.ts';
import { processWatchdog } from './watchdog.ts';

/** Delay between TERM and KILL for processes of an earlier process. */
const termMs = 1000;

/**
 * Records the processes that this process starts, in a file of its own in a directory, and ends those of earlier
 * processes that were killed together with their watchdog. Only a process with the recorded id and start time is
 * ended, with its group. Returns the number of ended groups.
 */
export async function keepProcessRecord(directory: string): Promise<number> {
  // Windows ends children by itself. A line break would end the watchdog's line.
  if (!hasProcessGroups || directory.includes('\n')) return 0;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const ended = await reapRecords(directory);
  processWatchdog.keepRecord(join(directory, String(process.pid)));
  return ended;
}

async function reapRecords(directory: string): Promise<number> {
  const files = (await readdir(directory)).filter((name) => /^\d+$/.test(name));
  const counts = await Promise.all(files.map((name) => reapRecord(join(directory, name))));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function reapRecord(file: string): Promise<number> {
  const lines = parseRecord(await readFile(file, 'utf8').catch(() => ''));
  const living = await Promise.all(lines.map(isThere));
  const isKept = lines.some(({ role }, index) => role !== 'group' && living[index] === true);
  if (isKept) return 0;
  const left = lines.filter((_, index) => living[index] === true);
  await Promise.all(left.map(({ pid }) => endGroup(pid)));
  await rm(file, { force: true });
  return left.length;
}

/** A process that was there when the record was written. */
interface RecordLine {
  readonly role: 'parley' | 'watchdog' | 'group';
  readonly pid: number;
  readonly start: string;
}

/** Lines that were not written whole mean nothing. */
function parseRecord(text: string): readonly RecordLine[] {
  return text.split('\n').flatMap((line): RecordLine[] => {
    const [, role, pid, start] = /^(parley|watchdog|group) ([1-9]\d*) (\S.*)$/.exec(line) ?? [];
    if (role !== 'parley' && role !== 'watchdog' && role !== 'group') return [];
    return start === undefined ? [] : [{ role, pid: Number(pid), start: start.trim() }];
  });
}

async function isThere({ pid, start }: RecordLine): Promise<boolean> {
  return (await startTimeOf(pid)) === start;
}

async function endGroup(groupId: number): Promise<void> {
  if (signalGroup(groupId, 'SIGTERM') && !(await groupGone(groupId, termMs))) signalGroup(groupId, 'SIGKILL');
}

import { statfs } from 'node:fs/promises';
import { type Finding, note, ok, problem } from './finding.ts';

const megabyte = 1_000_000;

/** How much room there is for sessions. The folder must be there. */
export async function examineRoom(folder: string): Promise<readonly Finding[]> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return [judgeRoom(folder, bavail * bsize)];
  } catch {
    // A system that does not report it, or a folder that is a finding of its own.
    return [];
  }
}

/** Judges how many bytes are free where a folder is. */
export function judgeRoom(folder: string, bytes: number): Finding {
  const left = `${String(Math.floor(bytes / megabyte))} MB are free for ${folder}`;
  const advice = 'make room: "parley sessions delete --all --older-than 30d" removes old sessions';
  if (bytes < 50 * megabyte) return problem('room', `only ${left}: without room turns fail`, advice);
  if (bytes < 500 * megabyte) return note('room', `only ${left}`, advice);
  return ok('room', left);
}

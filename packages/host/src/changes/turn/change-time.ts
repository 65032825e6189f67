import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ChangedPath } from '../../event/changes-event.ts';
import { clockMs } from './attribution.ts';

/**
 * When a file was last changed, according to the file system. A file that was moved with its folder keeps its old
 * times: for it, and for a deleted file, the folders above it are used.
 *
 * @param since Start of the turn, in milliseconds since 1970.
 */
export async function changeTime(
  workspace: string,
  file: ChangedPath,
  since: number,
): Promise<number | undefined> {
  const root = Buffer.from(`${workspace}${path.sep}`);
  const name = typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.base64, 'base64');
  const own = await changedAt(Buffer.concat([root, name]));
  if (own !== undefined && own >= since) return own;
  for (let folder = above(name); folder !== undefined; folder = above(folder)) {
    const time = await changedAt(Buffer.concat([root, folder]));
    if (time !== undefined && time >= since - clockMs) return time;
  }
  return own;
}

function above(name: Buffer): Buffer | undefined {
  return name.length === 0 ? undefined : name.subarray(0, Math.max(0, name.lastIndexOf(slash)));
}

const slash = 0x2f;

async function changedAt(file: Buffer): Promise<number | undefined> {
  try {
    return (await lstat(file)).ctimeMs;
  } catch {
    return undefined;
  }
}

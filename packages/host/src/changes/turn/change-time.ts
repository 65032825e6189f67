import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ChangedPath } from '../../event/changes-event.ts';

/**
 * When a changed file was changed last, as far as the file system says. A file that was moved with its folder has its old times:
 * then, and for one that is gone, those of the folders above it count.
 *
 * @param since When the turn began, in milliseconds since 1970.
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
    if (time !== undefined && time >= since) return time;
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

import { mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '@parley/workspace';

/**
 * Replaces a file of the user, or creates it, for its owner only: it may hold secrets. Its permissions stay; where it
 * is a link, the file behind it is replaced.
 */
export async function replaceUserFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => undefined,
  );
  await replaceFile(target, text, mode === undefined ? {} : { mode });
}

import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file of the user atomically, or creates it, for its owner only: it may hold secrets. Its
 * permissions stay; where it is a link, the file behind it is replaced.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => 0o600,
  );
  const beside = `${target}.${randomUUID()}.tmp`;
  try {
    await using handle = await open(beside, 'wx', 0o600);
    await handle.writeFile(text);
    // Else a power cut could leave an empty file under the name.
    await handle.sync();
    await chmod(beside, mode);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces or creates a file that only its owner can access. Readers see the old text or the new one, never a part,
 * also after a power failure: the text is synced to disk before the file gets its name.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}`;
  try {
    await using handle = await open(beside, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
    await rename(beside, file);
  } catch (error) {
    // What went wrong first is what is reported.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

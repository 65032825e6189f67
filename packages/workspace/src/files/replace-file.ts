import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file of ours, or creates it, for its owner only. Readers see the old text or the new one, never a part,
 * and so does the next start after a power cut: the text is on the disk before it gets the name.
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

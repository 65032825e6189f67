import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** How {@link replaceFile} writes. */
export interface ReplaceFileOptions {
  /** The permissions of the file. @default 0o600 */
  readonly mode?: number;
  /** `fast`: without a sync, so that a power failure may bring the old text back or leave no text. @default 'synced' */
  readonly durability?: 'synced' | 'fast';
}

/**
 * Replaces or creates a file that, by default, only its owner can access. Readers see the old text or the new one, never
 * a part, also after a power failure: the text is synced to disk before the file gets its name.
 */
export async function replaceFile(
  file: string,
  text: string,
  { mode = 0o600, durability = 'synced' }: ReplaceFileOptions = {},
): Promise<void> {
  const beside = `${file}.${randomUUID()}`;
  try {
    await using handle = await open(beside, 'wx', 0o600);
    await handle.writeFile(text);
    // The umask does not apply to it.
    if (mode !== 0o600) await handle.chmod(mode);
    if (durability === 'synced') await handle.sync();
    await rename(beside, file);
  } catch (error) {
    // What went wrong first is what is reported.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

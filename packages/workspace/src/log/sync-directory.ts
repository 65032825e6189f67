import { open } from 'node:fs/promises';
import { systemCode } from '../error.ts';

/** Syncs the entries of a directory to disk, if the system supports it. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, 'r');
    await handle.sync();
  } catch (error) {
    // Windows opens no directories, and some file systems sync none.
    if (process.platform === 'win32' || systemCode(error) === 'EINVAL') return;
    throw error;
  }
}

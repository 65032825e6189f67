import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { refusal, systemCode, toWorkspaceError } from '../error.ts';

/** What is read of a private file. */
export interface ReadPrivateFileOptions {
  /** A larger file is refused. */
  readonly maxBytes: number;
}

/**
 * Reads a file that grants rights to any user that can write it. Checks and reads the same open file, so that it cannot be
 * replaced in between.
 *
 * @throws {WorkspaceError} `insecure`: it is a link, belongs to another user, or other users may read or write it.
 */
export async function readPrivateFile(file: string, { maxBytes }: ReadPrivateFileOptions): Promise<string> {
  try {
    // A FIFO would keep us waiting for its writer.
    await using handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch((error: unknown) => {
      if (systemCode(error) !== 'ELOOP') throw error;
      throw refusal('read', file, 'insecure', 'it is a link; replace it by the file itself, with mode 600');
    });
    const stats = await handle.stat();
    if (!stats.isFile()) throw refusal('read', file, 'not-a-file', 'not a regular file');
    const { mode, uid, size } = stats;
    const ownUid = process.getuid?.();
    if (ownUid !== undefined && uid !== ownUid) {
      const reason = `it belongs to another user (uid ${String(uid)}); check its content, then run: ${chown(ownUid, file)}`;
      throw refusal('read', file, 'insecure', reason);
    }
    if (ownUid !== undefined && (mode & 0o077) !== 0) {
      const reason = `other users may read or write it (mode ${toOctal(mode)}); check its content, then run: chmod 600 ${JSON.stringify(file)}`;
      throw refusal('read', file, 'insecure', reason);
    }
    if (size > maxBytes) throw refusal('read', file, 'too-large', `more than ${String(maxBytes)} bytes`);
    return await handle.readFile('utf8');
  } catch (error) {
    throw toWorkspaceError(error, 'read', file);
  }
}

function chown(uid: number, file: string): string {
  return `chown ${String(uid)} ${JSON.stringify(file)}`;
}

function toOctal(mode: number): string {
  return (mode & 0o777).toString(8);
}

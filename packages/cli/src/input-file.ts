import { open } from 'node:fs/promises';
import { CliError, type CliErrorCode } from './cli-error.ts';

/** The largest file or standard input that is taken as part of a prompt or as a configuration. */
export const maxInputBytes: number = 32 * 1024 * 1024;

/** Reads a file which the person named; `label` says by which flag or for what. */
export async function readInputFile(
  file: string,
  options: { readonly label: string; readonly code: CliErrorCode; readonly signal?: AbortSignal },
): Promise<Buffer> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > maxInputBytes) {
      throw new CliError(
        options.code,
        `${options.label}: has ${String(size)} bytes, the most is ${String(maxInputBytes)}`,
      );
    }
    return await handle.readFile({ ...(options.signal !== undefined && { signal: options.signal }) });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof CliError) throw error;
    throw new CliError(options.code, `${options.label}: ${toFileReason(error)}`, { cause: error });
  }
}

/** Turns bytes into text, or says that they are none. */
export function decodeInput(
  bytes: Uint8Array,
  options: { readonly label: string; readonly code: CliErrorCode },
): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliError(options.code, `${options.label}: not UTF-8 text`, { cause: error });
  }
}

/** The reason the system gives for a file that it did not open or write, in plain words. */
export function toFileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'ENOTDIR':
      return 'a part of the path is not a folder';
    case 'EACCES':
    case 'EPERM':
      return 'access is not allowed';
    case 'EISDIR':
      return 'is a folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the disk quota is used up';
    case 'EFBIG':
      return 'the file is as large as this system lets it be';
    case 'EROFS':
      return 'the file system is read-only';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

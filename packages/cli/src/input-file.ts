import { stat } from 'node:fs/promises';
import { readNamedFile, WorkspaceError } from '@parley/workspace';
import { CliError, type CliErrorCode } from './cli-error.ts';

/** Size of a prompt file, standard input or a configuration file. */
export const maxInputBytes: number = 32 * 1024 * 1024;

/** Reads a file that the user named; `label` says by which flag or for what. */
export async function readInputFile(
  file: string,
  options: { readonly label: string; readonly code: CliErrorCode; readonly signal?: AbortSignal },
): Promise<Buffer> {
  const { label, code, signal } = options;
  try {
    return await readNamedFile(file, { maxBytes: maxInputBytes, ...(signal !== undefined && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new CliError(code, `${label}: ${toFileReason(error)}`, { cause: error });
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

/** The reason why a file was not opened, read or written, in plain words. */
export function toFileReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'not-found':
      return 'the file does not exist';
    case 'ENOTDIR':
    case 'not-a-directory':
      return 'a part of the path is not a folder';
    case 'EACCES':
    case 'EPERM':
    case 'denied':
      return 'access is not allowed';
    case 'EISDIR':
    case 'is-a-directory':
      return 'is a folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the disk quota is used up';
    case 'EFBIG':
      return 'the file has reached the size limit of this system';
    case 'EROFS':
      return 'the file system is read-only';
    case 'not-a-file':
      return 'is not a regular file';
    case 'too-large':
      return `has more than ${String(maxInputBytes)} bytes, the limit`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** The same for a folder, or for a file that cannot be created in one. */
export function toFolderReason(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'the folder does not exist' : toFileReason(error);
}

/** Checks that a flag names a folder. @throws {CliError} `usage`: it is not there, or no folder. */
export async function checkFolder(flag: string, folder: string): Promise<void> {
  const stats = await stat(folder).catch((error: unknown) => {
    throw new CliError('usage', `${flag} ${folder}: ${toFolderReason(error)}`, { cause: error });
  });
  if (!stats.isDirectory()) throw new CliError('usage', `${flag} ${folder}: is not a folder`);
}

/** Whether reading failed because there is no such file. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof WorkspaceError && (error.code === 'not-found' || error.code === 'not-a-directory');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Why an operation failed. */
export type WorkspaceErrorCode =
  /** The path is outside the session's directories. */
  | 'outside'
  | 'not-absolute'
  /** The path is invalid: empty, with a NUL byte, too long, or a cycle of links. */
  | 'invalid-path'
  | 'not-found'
  /** A FIFO, a device or a socket, which cannot be read or written as text. */
  | 'not-a-file'
  | 'not-a-directory'
  | 'is-a-directory'
  /** The directory to be removed is not empty. */
  | 'not-empty'
  | 'too-large'
  /** The content is neither UTF-8 nor UTF-16 with a byte order mark. */
  | 'binary'
  | 'exists'
  | 'denied'
  /** Other users can access the file, or it is a link. */
  | 'insecure'
  /** The disk is full, a quota is exhausted, or a file may not grow. */
  | 'no-space'
  /** The process could not be started. */
  | 'not-started'
  | 'invalid-pattern'
  /** The content of the file is invalid, or another program changed it. */
  | 'damaged'
  /** The file changed after it was checked or displayed. */
  | 'changed'
  | 'not-a-repository'
  /** A merge, rebase or similar operation is unfinished in this repository. */
  | 'in-progress'
  | 'nothing-to-commit'
  /** git, or a hook of the repository, rejected the commit. */
  | 'refused'
  /** A newer or older program wrote the file. */
  | 'unsupported'
  /** git is not on the path. */
  | 'no-git'
  /** The checkpoint is no longer stored. */
  | 'expired'
  /** The name of a worktree, or of its base commit, is invalid. */
  | 'invalid-name'
  /** A session or another process uses it. */
  | 'in-use'
  /** The changes conflict. Nothing was changed. */
  | 'conflict'
  /** Changes that exist nowhere else would be lost. */
  | 'unsaved'
  /** It is already closed. */
  | 'closed'
  | 'aborted'
  | 'failed';

/** The one error class of this package. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: WorkspaceErrorCode;
  /** The path as the caller passed it. */
  readonly path?: string;

  constructor(
    code: WorkspaceErrorCode,
    message: string,
    options: ErrorOptions & { readonly path?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    if (options.path !== undefined) this.path = options.path;
  }
}

/** A refusal that names what was tried on which path. */
export function refusal(
  action: string,
  path: string,
  code: WorkspaceErrorCode,
  reason: string,
): WorkspaceError {
  return new WorkspaceError(code, `${action} ${JSON.stringify(path)}: ${reason}`, { path });
}

/** Converts an error of the system about `action` on `path`; a `WorkspaceError` is returned unchanged. */
export function toWorkspaceError(error: unknown, action: string, path: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const { code, reason } = meaningOf(systemCode(error));
  return new WorkspaceError(code, `${action} ${JSON.stringify(path)}: ${reason}`, { path, cause: error });
}

/** Throws `aborted` once the signal is. */
export function checkNotAborted(signal: AbortSignal | undefined, action: string): void {
  if (signal?.aborted !== true) return;
  throw new WorkspaceError('aborted', `${action}: aborted`, { cause: signal.reason });
}

/** The `code` of a system error (`ENOENT`, …), if it is one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function meaningOf(code: string | undefined): { readonly code: WorkspaceErrorCode; readonly reason: string } {
  switch (code) {
    case 'ENOENT':
      return { code: 'not-found', reason: 'no such file or directory' };
    case 'ENOTDIR':
      return { code: 'not-a-directory', reason: 'a part of the path is not a directory' };
    case 'EISDIR':
      return { code: 'is-a-directory', reason: 'is a directory' };
    case 'ENOTEMPTY':
      return { code: 'not-empty', reason: 'the directory is not empty' };
    case 'EEXIST':
      return { code: 'exists', reason: 'exists already' };
    case 'EACCES':
    case 'EPERM':
      return { code: 'denied', reason: 'the system denies access' };
    case 'EROFS':
      return { code: 'denied', reason: 'the file system is read-only' };
    case 'ENOSPC':
      return { code: 'no-space', reason: 'the disk is full' };
    case 'EDQUOT':
      return { code: 'no-space', reason: 'the disk quota is used up' };
    case 'EFBIG':
      return { code: 'no-space', reason: 'the file has reached the size limit of this system' };
    case 'ENXIO':
    case 'EOPNOTSUPP':
      return { code: 'not-a-file', reason: 'not a regular file' };
    case 'ENAMETOOLONG':
      return { code: 'invalid-path', reason: 'the name is too long' };
    case 'ELOOP':
      return { code: 'invalid-path', reason: 'too many symbolic links' };
    case 'ERR_INVALID_ARG_VALUE':
      return { code: 'invalid-path', reason: 'contains a NUL byte' };
    case 'EXDEV':
      return { code: 'failed', reason: 'the two places are on different file systems' };
    default:
      return { code: 'failed', reason: code ?? 'failed' };
  }
}

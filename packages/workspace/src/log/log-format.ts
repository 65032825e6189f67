import { WorkspaceError } from '../error.ts';

/** The format of a log, as stated in the first line of the file. */
export interface LogFormat {
  /** A word for the kind of records: `agent-session`. */
  readonly name: string;
  /** Increased when older programs can no longer read the records. */
  readonly version: number;
  /** Older versions that are also read, and appended to unchanged. @default none */
  readonly readable?: readonly number[];
}

/** The record of the first line. */
export function toHeader({ name, version }: LogFormat): { readonly log: string; readonly version: number } {
  return { log: name, version };
}

/**
 * Gives the version of a log, by its header.
 *
 * @throws {WorkspaceError} `damaged`: this is no such log. `unsupported`: it is one of another version.
 */
export function checkHeader(header: unknown, format: LogFormat, path: string): number {
  if (
    typeof header !== 'object' ||
    header === null ||
    !('log' in header) ||
    header.log !== format.name ||
    !('version' in header)
  ) {
    throw noLog(format, path);
  }
  const { version, readable = [] } = format;
  const found = [version, ...readable].find((each) => each === header.version);
  if (found !== undefined) return found;
  const message =
    `open ${JSON.stringify(path)}: a log "${format.name}" of version ${String(header.version)}; ` +
    `this program reads version ${[version, ...readable].join(', ')}`;
  throw new WorkspaceError('unsupported', message, { path });
}

/** The first line is not the one of such a log. */
export function noLog({ name }: LogFormat, path: string): WorkspaceError {
  return new WorkspaceError('damaged', `open ${JSON.stringify(path)}: not a log "${name}"`, { path });
}

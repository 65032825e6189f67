import { WorkspaceError } from '../error.ts';

/** What a log holds, and in which shape: the first line of the file says it. */
export interface LogFormat {
  /** What the records are about, a word: `agent-session`. */
  readonly name: string;
  /** Counts up when older programs could not read the records any more. */
  readonly version: number;
  /** Older versions that are read too, and appended to as they are. @default none */
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

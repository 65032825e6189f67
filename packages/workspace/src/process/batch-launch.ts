import path from 'node:path';
import { WorkspaceError } from '../error.ts';

/** A process as passed to the system. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are one line that must not be quoted. */
  readonly isVerbatim: boolean;
}

/** Whether a file is one that only `cmd.exe` can run. */
export function isBatchFile(file: string): boolean {
  return /\.(?:cmd|bat)$/iu.test(file);
}

/**
 * How a batch file is run with arguments that reach it as they are. `cmd.exe` reads the line, and the batch file usually
 * hands it on to be read once more: between quotes both leave every character alone but these two, which are refused.
 * Node itself starts no batch files, for the same reason (CVE-2024-27980).
 *
 * @throws {WorkspaceError} `not-started`: an argument holds what cannot be handed on safely.
 */
export function toBatchLaunch(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Launch {
  const words = [file, ...args].map((word) => quote(word, file));
  // From its own folder, never a file of that name in the working directory.
  const command = path.win32.join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'cmd.exe');
  return { command, args: ['/d', '/v:off', '/s', '/c', `"${words.join(' ')}"`], isVerbatim: true };
}

function quote(word: string, file: string): string {
  const found = /["%\r\n\0]/u.exec(word)?.[0];
  if (found !== undefined) {
    const message =
      `start ${JSON.stringify(file)}: an argument holds ${JSON.stringify(found)}, which a batch file would take for ` +
      'something else; start the program that it runs instead, such as node with a script';
    throw new WorkspaceError('not-started', message, { path: file });
  }
  // For the program behind it a backslash before a quote is one that protects the quote.
  return `"${word.replace(/\\+$/u, '$&$&')}"`;
}

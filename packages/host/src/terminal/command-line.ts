import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** What is to be started: a program with its arguments, or a line for the shell. */
export type CommandLine =
  | { readonly shell: false; readonly command: string; readonly args: readonly string[] }
  | { readonly shell: true; readonly command: string };

/**
 * What an agent means by `command` and `args`. With arguments it is a program, and no shell is involved. Without
 * arguments many agents put a whole shell line into `command` ("npm test && git status"): it is one when it looks
 * like one and there is no program of that name.
 */
export async function toCommandLine(
  command: string,
  args: readonly string[],
  search: { readonly cwd: string; readonly path: string },
): Promise<CommandLine> {
  if (args.length > 0 || !shellSyntax.test(command) || (await isProgram(command, search))) {
    return { shell: false, command, args };
  }
  return { shell: true, command };
}

/** White space, or a character that means something to a shell. */
const shellSyntax = /[\s|&;<>()$`"'*?[\]{}#~\\]/;

async function isProgram(
  command: string,
  search: { readonly cwd: string; readonly path: string },
): Promise<boolean> {
  if (isAbsolute(command) || /[/\\]/.test(command)) return isExecutable(resolve(search.cwd, command));
  for (const folder of search.path.split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, command)))) return true;
  }
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Missing, or not executable: either way not a program.
    return false;
  }
}

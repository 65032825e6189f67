/** A command to start: a program with arguments, or a command line for the shell. */
export type CommandLine =
  | { readonly shell: false; readonly command: string; readonly args: readonly string[] }
  | { readonly shell: true; readonly command: string };

/**
 * Interprets an agent's `command` and `args`. With arguments, it is a program and no shell is used. Without
 * arguments, many agents send a complete shell command line ("npm test && git status"): it is treated as one if it
 * looks like one and no program has that name.
 */
export async function toCommandLine(
  command: string,
  args: readonly string[],
  isProgram: (command: string) => Promise<boolean>,
): Promise<CommandLine> {
  if (args.length > 0 || !shellSyntax.test(command) || (await isProgram(command))) {
    return { shell: false, command, args };
  }
  return { shell: true, command };
}

/** White space, or a character that means something to a shell. */
const shellSyntax = /[\s|&;<>()$`"'*?[\]{}#~\\]/;

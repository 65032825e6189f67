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
  isProgram: (command: string) => Promise<boolean>,
): Promise<CommandLine> {
  if (args.length > 0 || !shellSyntax.test(command) || (await isProgram(command))) {
    return { shell: false, command, args };
  }
  return { shell: true, command };
}

/** White space, or a character that means something to a shell. */
const shellSyntax = /[\s|&;<>()$`"'*?[\]{}#~\\]/;

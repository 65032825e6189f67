import { CliError } from '../cli-error.ts';
import { createTerminal } from '../question/terminal.ts';
import type { Surroundings } from '../surroundings.ts';

/** How many of the sessions that would be deleted are named in the question. */
const namedSessions = 20;

/** Asks the user whether to delete these sessions, listed one per line. */
export async function confirmDeletion(
  lines: readonly string[],
  { stdin, stderr }: Surroundings,
  signal: AbortSignal,
): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CliError(
      'usage',
      'delete: cannot ask for confirmation without a terminal; --yes deletes without asking',
    );
  }
  for (const line of lines.slice(0, namedSessions)) stderr.write(`  ${line}\n`);
  const more = lines.length - namedSessions;
  if (more > 0) stderr.write(`  … and ${String(more)} more\n`);
  const answer = await createTerminal(stdin, stderr).ask('Delete for good? [y/N] ', signal);
  const isConfirmed = /^\s*y(?:es)?\s*$/i.test(answer ?? '');
  if (!isConfirmed) stderr.write('parley: nothing was deleted\n');
  return isConfirmed;
}

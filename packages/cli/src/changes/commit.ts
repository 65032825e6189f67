import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './changes-error.ts';
import { omittedTexts, unavailableText } from './changes-text.ts';
import { announce, findChanges, type ChangesFlags } from './find-changes.ts';
import { countText, pathText } from './path-text.ts';

/** The flags of `parley changes commit`. */
export interface CommitFlags extends ChangesFlags {
  readonly message: string;
}

/** `parley changes commit`. Returns the exit status. */
export async function commitCommand(
  session: string | undefined,
  { message, ...flags }: CommitFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  if (message.trim() === '') throw new CliError('usage', '-m: the message is empty');
  const found = await findChanges(session, flags, surroundings);
  const result = await found.changes.commit({ message }).catch((error: unknown) => {
    throw toCliError('changes commit', error);
  });
  await announce(found, surroundings);
  const { commit, files, conflicts, unreported, omitted, unavailable } = result;
  if (flags.json === true) stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  if (conflicts.length > 0) {
    const where = countText(conflicts.length, 'file');
    stderr.write(
      `parley: changes commit: nothing was committed, because other edits are mixed in ${where}:\n`,
    );
    for (const { path } of conflicts) stderr.write(`parley:   ${pathText(path)}\n`);
    return exitStatus.refused;
  }
  if (flags.json !== true) {
    stdout.write(`Committed ${countText(files.length, 'file')} as ${(commit ?? '').slice(0, 12)}\n`);
  }
  for (const { turn, ...why } of unavailable ?? []) {
    stderr.write(`parley: not committed: turn ${String(turn)} ${unavailableText(why)}\n`);
  }
  const committed = new Set(files.map(({ path }) => pathText(path)));
  for (const name of unreported.map(pathText)) {
    const what = committed.has(name)
      ? 'committed without what no tool call reported'
      : 'not committed, because no tool call reported it';
    stderr.write(`parley: ${what}: ${name}\n`);
  }
  for (const text of omittedTexts(omitted)) stderr.write(`parley: not committed, ${text}\n`);
  return exitStatus.done;
}

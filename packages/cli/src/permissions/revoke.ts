import { answerList } from '@parley/host';
import { WorkspaceError, type StateList } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { answersFile } from '../configuration/places.ts';
import { trustedFiles } from '../configuration/trusted-files.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';

/** The flags of `parley permissions revoke`, as typed. */
export interface RevokeFlags {
  readonly json?: boolean;
}

/** `parley permissions revoke`: revokes a remembered answer, the trust in a file, or all of them. */
export async function revokePermission(
  id: string,
  { json }: RevokeFlags,
  { stdout, env }: Surroundings,
): Promise<number> {
  const answers = await removeFrom(answerList(answersFile(env)), id);
  const trusted = await removeFrom(trustedFiles(env), id);
  if (answers + trusted === 0 && id !== 'all') {
    throw new CliError(
      'usage',
      `no remembered answer or trusted file has the id "${id}"; "parley permissions list" lists them`,
    );
  }
  stdout.write(
    json === true
      ? `${JSON.stringify({ answers, trusted })}\n`
      : `Revoked: ${count(answers, 'answer')}, ${count(trusted, 'trusted file')}.\n`,
  );
  return exitStatus.done;
}

/** Removes the selected answers, and prints their number. */
async function removeFrom<Entry extends { readonly id: string }>(
  list: StateList<Entry>,
  id: string,
): Promise<number> {
  let removed = 0;
  try {
    if ((await list.read()).length === 0) return 0;
    await list.change((entries) => {
      const kept = id === 'all' ? [] : entries.filter((entry) => entry.id !== id);
      removed = entries.length - kept.length;
      return kept;
    });
  } catch (error) {
    if (error instanceof WorkspaceError) throw new CliError('configuration', error.message, { cause: error });
    throw error;
  }
  return removed;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

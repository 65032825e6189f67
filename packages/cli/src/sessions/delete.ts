import { removeJournal, type JournalHead } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { parseAge } from '../flag-values.ts';
import { createTerminal } from '../question/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { findSessions, sessionOf, shortId } from './find-session.ts';
import { fromHome, toAge } from './session-facts.ts';

/** How many of the sessions that would be deleted are named in the question. */
const namedSessions = 20;

/** The flags of `parley sessions delete` without an agent. */
export interface TypedDeleteFlags {
  readonly all?: boolean;
  readonly olderThan?: string;
  readonly yes?: boolean;
}

/** `parley sessions delete`: removes journals for good; one that is open stays. Gives the exit status. */
export async function deleteSessions(
  ids: readonly string[],
  typed: TypedDeleteFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stderr } = surroundings;
  const wanted = await chooseSessions(ids, typed, surroundings);
  if (wanted.length === 0) {
    stderr.write('parley: there is nothing to delete\n');
    return exitStatus.done;
  }
  if (typed.yes !== true && !(await isConfirmed(wanted, surroundings))) {
    stderr.write('parley: nothing was deleted\n');
    return exitStatus.done;
  }
  const open: string[] = [];
  for (const { folder, start } of wanted) {
    const { holder } = await removeJournal(folder);
    if (holder !== undefined) open.push(`${shortId(start.key)} (process ${String(holder.pid)})`);
  }
  const deleted = wanted.length - open.length;
  stderr.write(`parley: ${String(deleted)} ${deleted === 1 ? 'session' : 'sessions'} deleted\n`);
  if (open.length === 0) return exitStatus.done;
  stderr.write(`parley: open and not deleted: ${open.join(', ')}\n`);
  // Whoever deletes all means what can be deleted; whoever names one means that one.
  return typed.all === true ? exitStatus.done : exitStatus.failed;
}

async function chooseSessions(
  ids: readonly string[],
  { all = false, olderThan }: TypedDeleteFlags,
  surroundings: Surroundings,
): Promise<readonly JournalHead[]> {
  if (all === ids.length > 0) {
    throw new CliError(
      'usage',
      'delete: give the ids of sessions, or --all; parley sessions list shows them',
    );
  }
  if (olderThan !== undefined && !all) throw new CliError('usage', '--older-than goes with --all');
  const heads = await findSessions({}, surroundings);
  if (!all) return [...new Set(ids.map((id) => sessionOf(id, heads)))];
  const before = olderThan === undefined ? undefined : Date.now() - parseAge('--older-than', olderThan);
  return heads.filter(({ updatedAt }) => before === undefined || updatedAt < before);
}

async function isConfirmed(
  wanted: readonly JournalHead[],
  { stdin, stderr }: Surroundings,
): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CliError('usage', 'delete: nobody can be asked here; --yes deletes without asking');
  }
  for (const { start, updatedAt } of wanted.slice(0, namedSessions)) {
    stderr.write(`  ${shortId(start.key)}  ${toAge(updatedAt, Date.now())}  ${fromHome(start.cwd)}\n`);
  }
  const more = wanted.length - namedSessions;
  if (more > 0) stderr.write(`  … and ${String(more)} more\n`);
  const terminal = createTerminal(stdin, stderr);
  const answer = await terminal.ask('Delete for good? [y/N] ', new AbortController().signal);
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

import type { SessionHead } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { exitStatus } from '../exit-status.ts';
import { parseAge } from '../flag-values.ts';
import { toColumns } from '../output/columns.ts';
import { fromHome } from '../output/from-home.ts';
import { toAge } from '../output/time-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { findSessions, sessionOf, shortId, storeOf } from './find-session.ts';

/** The flags of `parley sessions delete` without an agent. */
export interface TypedDeleteFlags {
  readonly all?: boolean;
  readonly olderThan?: string;
  readonly yes?: boolean;
}

/** `parley sessions delete`: removes event logs for good; one that is open stays. Gives the exit status. */
export async function deleteSessions(
  ids: readonly string[],
  typed: TypedDeleteFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stderr } = surroundings;
  const wanted = await chooseSessions(ids, typed, surroundings);
  if (wanted.length === 0) {
    stderr.write('parley: nothing to delete\n');
    return exitStatus.done;
  }
  if (typed.yes !== true) {
    const lines = toColumns(
      wanted.map(({ key, start, updatedAt }) => [
        shortId(key),
        toAge(updatedAt, Date.now()),
        fromHome(start.cwd),
      ]),
    );
    const isConfirmed = await confirmDeletion(lines, surroundings, new AbortController().signal);
    if (!isConfirmed) return exitStatus.done;
  }
  const open: string[] = [];
  const store = storeOf(surroundings);
  for (const { key } of wanted) {
    const { owner } = await store.remove(key);
    if (owner !== undefined) open.push(`${shortId(key)} (${owner.name})`);
  }
  const deleted = wanted.length - open.length;
  stderr.write(`parley: ${String(deleted)} ${deleted === 1 ? 'session' : 'sessions'} deleted\n`);
  if (open.length === 0) return exitStatus.done;
  stderr.write(`parley: open and not deleted: ${open.join(', ')}\n`);
  // Deleting all means all that can be deleted; naming one means that one.
  return typed.all === true ? exitStatus.done : exitStatus.failed;
}

async function chooseSessions(
  ids: readonly string[],
  { all = false, olderThan }: TypedDeleteFlags,
  surroundings: Surroundings,
): Promise<readonly SessionHead[]> {
  if (all === ids.length > 0) {
    throw new CliError(
      'usage',
      'delete: expected the ids of sessions, or --all; "parley sessions list" lists them',
    );
  }
  if (olderThan !== undefined && !all) throw new CliError('usage', '--older-than requires --all');
  const heads = await findSessions({}, surroundings);
  if (!all) return [...new Set(ids.map((id) => sessionOf(id, heads)))];
  const before = olderThan === undefined ? undefined : Date.now() - parseAge('--older-than', olderThan);
  return heads.filter(({ updatedAt }) => before === undefined || updatedAt < before);
}

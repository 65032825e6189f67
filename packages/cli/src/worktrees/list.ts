import { WorkspaceError } from '@parley/workspace';
import {
  worktreeState,
  worktreeTrouble,
  type RaceEntry,
  type WorktreeRecord,
} from '@parley/workspace/worktree';
import { stateFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { toColumns } from '../output/columns.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { shortId } from '../sessions/find-session.ts';
import type { Surroundings } from '../surroundings.ts';
import { worktreesHere, type WorktreePlaceFlags } from './find-worktree.ts';
import { sessionStores } from './refuse-in-use.ts';

/** The flags of `parley worktrees list`, as typed. */
export interface ListFlags extends WorktreePlaceFlags {
  readonly json?: boolean;
}

/** A worktree as `--json` has it. */
interface ListedWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  /** The id of the session that worked there last. */
  readonly session: string | null;
  readonly state: 'clean' | 'changed' | 'merged';
  readonly additions: number;
  readonly deletions: number;
  /** What is known of the runner of a race that works there, or did. */
  readonly race?: RaceEntry;
}

/** `parley worktrees list`. Gives the exit status. */
export async function listCommand(flags: ListFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  const records = await worktreesHere(flags, surroundings);
  const sessions = records.length === 0 ? new Map<string, string>() : await lastSessions(surroundings);
  const worktrees: ListedWorktree[] = [];
  for (const record of records) {
    worktrees.push({
      name: record.name,
      path: record.path,
      branch: record.branch,
      base: record.base,
      session: sessions.get(record.path) ?? null,
      ...(await stateOf(record, surroundings)),
      ...(record.race !== undefined && { race: record.race }),
    });
  }
  if (flags.json === true) {
    stdout.write(`${JSON.stringify({ worktrees }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  if (worktrees.length === 0) stderr.write('parley: no worktrees\n');
  else stdout.write(toTable(worktrees, records, surroundings));
  return exitStatus.done;
}

/** The session of each worktree that was written last, by the path. */
async function lastSessions(surroundings: Surroundings): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const store of sessionStores(surroundings)) {
    // The one written last comes first.
    for (const { key, start } of await store.list()) {
      const path = start.worktree?.path;
      if (path !== undefined && !found.has(path)) found.set(path, key);
    }
  }
  return found;
}

/** One that cannot be read is listed as changed, as nothing says that its changes are elsewhere. */
async function stateOf(
  record: WorktreeRecord,
  { stderr, env }: Surroundings,
): Promise<Pick<ListedWorktree, 'state' | 'additions' | 'deletions'>> {
  const trouble = await worktreeTrouble(record);
  if (trouble !== undefined) {
    stderr.write(`parley: ${toPlainText(`${trouble.message}; ${trouble.advice}`)}\n`);
  }
  try {
    const { state, additions, deletions } = await worktreeState(record, { stateFolder: stateFolder(env) });
    return { state, additions, deletions };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (trouble === undefined) stderr.write(`parley: ${toPlainText(error.message)}\n`);
    return { state: 'changed', additions: 0, deletions: 0 };
  }
}

function toTable(
  worktrees: readonly ListedWorktree[],
  records: readonly WorktreeRecord[],
  { stdout, env }: Surroundings,
): string {
  const rows = worktrees.map((worktree, index) => [
    worktree.name,
    toPlainLine(worktree.branch),
    `${toPlainLine(records[index]?.baseRef ?? '', 24)} ${worktree.base.slice(0, 8)}`,
    worktree.session === null ? '' : shortId(worktree.session),
    worktree.state,
    `+${String(worktree.additions)} −${String(worktree.deletions)}`,
  ]);
  const [head = '', ...lines] = toColumns([['NAME', 'BRANCH', 'BASE', 'SESSION', 'STATE', '+/−'], ...rows]);
  const style = createStyle(stdout.isTTY === true, env);
  return [style.dim(head), ...lines, ''].join('\n');
}

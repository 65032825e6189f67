import { readSessionFacts, type SessionHead, type SessionStore } from '@parley/host';
import { exitStatus } from '../exit-status.ts';
import { parseCount } from '../flag-values.ts';
import { cutToColumns, toColumns } from '../output/columns.ts';
import { fromHome } from '../output/from-home.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle, type Style } from '../output/style.ts';
import { toAge } from '../output/time-text.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import {
  findSessions,
  parseSessionFilter,
  shortId,
  storeOf,
  type TypedSessionFilter,
} from './find-session.ts';
import { reportUnreadable, toSummary, toFirstSummary, type SessionSummary } from './session-summary.ts';

/** Default number of listed sessions. */
const usualLimit = 20;

/** The flags of `parley sessions list` without an agent. */
export interface TypedListFlags extends TypedSessionFilter {
  readonly json?: boolean;
  readonly limit?: string;
}

/** `parley sessions list`: stored sessions, newest first. Returns the exit status. */
export async function listSessions(typed: TypedListFlags, surroundings: Surroundings): Promise<number> {
  const limit = typed.limit === undefined ? usualLimit : parseCount('--limit', typed.limit);
  const store = storeOf(surroundings);
  const heads = await findSessions(parseSessionFilter(typed, surroundings), surroundings);
  const listed: SessionSummary[] = [];
  for (const head of heads.slice(0, limit)) {
    listed.push(await readFacts(store, head, surroundings));
  }
  const { stdout, env } = surroundings;
  const writer = createWriter(stdout);
  const left = heads.length - listed.length;
  if (typed.json === true) {
    writer.write(`${JSON.stringify({ sessions: listed, more: left }, undefined, 2)}\n`);
  } else {
    writer.write(toTable(listed, createStyle(stdout.isTTY === true, env), widthOf(stdout)));
  }
  await writer.flush();
  if (typed.json !== true) {
    const all = `--limit ${String(heads.length)} lists all`;
    if (left > 0) surroundings.stderr.write(`parley: ${String(left)} more; ${all}\n`);
    if (heads.length === 0) surroundings.stderr.write('parley: no sessions\n');
  }
  return exitStatus.done;
}

/** An event log that fails in the middle is listed with what stands before, and must not end the list. */
async function readFacts(
  store: SessionStore,
  head: SessionHead,
  surroundings: Surroundings,
): Promise<SessionSummary> {
  try {
    const session = await readSessionFacts(store, head);
    if (session.failure !== undefined) reportUnreadable(head, session.failure, surroundings);
    return toSummary(head, session);
  } catch (error) {
    reportUnreadable(head, error, surroundings);
    return toFirstSummary(head);
  }
}

function toTable(sessions: readonly SessionSummary[], style: Style, width: number): string {
  if (sessions.length === 0) return '';
  const rows = underParents(sessions).map((session) => [
    session.parent === undefined ? shortId(session.id) : `└ ${shortId(session.id)}`,
    toAge(Date.parse(session.updatedAt), Date.now()),
    session.state,
    String(session.turns),
    toPlainLine(session.agent, 16),
    cutLeft(toPlainLine(placeOf(session), 1000), 24),
    toPlainLine(session.title ?? ''),
  ]);
  const [head = '', ...lines] = toColumns([
    ['ID', 'LAST', 'STATE', 'TURNS', 'AGENT', 'FOLDER', 'TITLE'],
    ...rows,
  ]).map((line) => cutToColumns(line, width));
  return [style.dim(head), ...lines, ''].join('\n');
}

/** Delegates follow the session that they work for, the oldest first. */
function underParents(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const listed = new Set(sessions.map(({ id }) => id));
  const isBelow = ({ parent }: SessionSummary): boolean => parent !== undefined && listed.has(parent);
  const withDelegates = (session: SessionSummary): readonly SessionSummary[] => [
    session,
    ...sessions
      .filter(({ parent }) => parent === session.id)
      .toReversed()
      .flatMap(withDelegates),
  ];
  return sessions.filter((session) => !isBelow(session)).flatMap(withDelegates);
}

/** A worktree has a path that only says where the state folder is. */
function placeOf({ cwd, worktree }: SessionSummary): string {
  return worktree === undefined ? fromHome(cwd) : `worktree ${worktree.name}`;
}

/** The end of a path says more than its beginning. */
function cutLeft(text: string, limit: number): string {
  return text.length > limit ? `…${text.slice(1 - limit)}` : text;
}

/** A table on a terminal fits its width; other output is not cut. */
function widthOf(stdout: Surroundings['stdout']): number {
  const columns = stdout.isTTY === true && 'columns' in stdout ? stdout.columns : undefined;
  return typeof columns === 'number' && columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

import type { Checkpoint, Checkpoints, FileChange } from '@parley/workspace/checkpoint';
import type { ChangedFile, ChangesEvent, MoreFiles, OmittedFile } from '../../event/changes-event.ts';
import { pathKey } from '../../state/changes.ts';
import { mostListedFiles, mostOmittedFiles } from '../changes-settings.ts';
import type { Attribution } from './attribution.ts';
import { changeTime } from './change-time.ts';
import type { RunningTurn } from './running-turns.ts';

/** A turn between its checkpoints. */
export interface CoveredTurn {
  readonly turn: RunningTurn;
  readonly before: Pick<Checkpoint, 'id' | 'omitted'>;
  readonly after: Checkpoint;
  readonly attribution: Attribution;
  /** The name of this machine, where others share the event log. */
  readonly machine?: string | undefined;
  /** When the turn was last known to run, for one that is closed later. */
  readonly endedAt?: number;
}

/** The event with the changes of a turn; undefined if nothing changed. */
export async function toChangesEvent(
  checkpoints: Checkpoints,
  { turn, before, after, attribution, machine, endedAt }: CoveredTurn,
): Promise<ChangesEvent | undefined> {
  if (before.id === after.id) return undefined;
  const changes = await checkpoints.compare(before.id, after.id);
  const covered = changes.filter(({ wasUncovered }) => wasUncovered !== true);
  const omitted = omittedOf(changes, before.omitted, after.omitted);
  if (covered.length === 0 && JSON.stringify(before.omitted) === JSON.stringify(after.omitted)) {
    return undefined;
  }
  const files: ChangedFile[] = [];
  for (let at = 0; at < covered.length; at += filesAtOnce) {
    const part = covered.slice(at, at + filesAtOnce).map((change) => toFile(change, turn, attribution));
    files.push(...(await Promise.all(part)));
  }
  const { sessionId, turnId, turn: number, startedAt } = turn;
  return {
    type: 'changes',
    sessionId,
    turn: number,
    turnId,
    before: before.id,
    after: after.id,
    ...(machine !== undefined && { machine }),
    ...toListed(files),
    omitted,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** Files that are checked at the same time. */
const filesAtOnce = 64;

async function toFile(
  change: FileChange,
  { workspace, startedAt }: RunningTurn,
  attribution: Attribution,
): Promise<ChangedFile> {
  const { path, oldPath, status, additions, deletions, binary } = change;
  const isNamed = [path, oldPath].some((name) => typeof name === 'string' && attribution.names(name));
  const time = isNamed ? undefined : await changeTime(workspace, path, startedAt);
  return {
    path,
    ...(oldPath !== undefined && { oldPath }),
    status,
    additions,
    deletions,
    binary,
    reported: isNamed || (time !== undefined && attribution.covers(time)),
  };
}

/** The files to list. If there are too many, unreported ones come first: `undo` treats the remaining ones alike. */
function toListed(files: readonly ChangedFile[]): Pick<ChangesEvent, 'files' | 'more'> {
  if (files.length <= mostListedFiles) return { files };
  const byReport = files.toSorted((left, right) => Number(left.reported) - Number(right.reported));
  const listed = new Set(byReport.slice(0, mostListedFiles));
  const others = byReport.slice(mostListedFiles);
  const more: MoreFiles = {
    files: others.length,
    additions: others.reduce((sum, { additions }) => sum + additions, 0),
    deletions: others.reduce((sum, { deletions }) => sum + deletions, 0),
    reported: others.every(({ reported }) => reported),
  };
  return { files: files.filter((file) => listed.has(file)), more };
}

function omittedOf(
  changes: readonly FileChange[],
  before: readonly OmittedFile[],
  after: readonly OmittedFile[],
): readonly OmittedFile[] {
  const omitted = new Map([...before, ...after].map((file) => [pathKey(file.path), file]));
  for (const { path, wasUncovered } of changes) {
    const key = pathKey(path);
    if (wasUncovered === true && !omitted.has(key)) omitted.set(key, { path, why: 'ignored' });
  }
  return [...omitted.values()].slice(0, mostOmittedFiles);
}

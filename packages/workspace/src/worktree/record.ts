import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError, toWorkspaceError } from '../error.ts';
import { readNamedFile } from '../files/read-named-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { lockHolder } from '../log/lock.ts';
import type { WorkingTree } from './checkout.ts';
import { isRaceEntry, type RaceEntry } from './race-entry.ts';
import { branchOf } from './worktree-branch.ts';

/** A worktree in events and lists. */
export interface NamedWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
}

/** Where worktrees are. */
export interface WorktreePlace {
  readonly stateFolder: string;
}

/** The stored record of a worktree. */
export interface WorktreeRecord extends NamedWorktree {
  /** The `.git` folder of its repository. */
  readonly repository: string;
  /** The top folder of its original checkout. */
  readonly checkout: string;
  /** Where git stores the `HEAD` and index of that checkout. */
  readonly checkoutGitDir: string;
  /** Where git stores its `HEAD` and index; absent until it was created. */
  readonly gitDir?: string;
  /** The base commit. */
  readonly base: string;
  /** The base as the user entered it. */
  readonly baseRef: string;
  /** The initial tree: that of the base, with the uncommitted changes that were copied. */
  readonly start: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether its files exist. Until then, creating it can be retried. */
  readonly isReady: boolean;
  /** Whether the project's setup script has run. */
  readonly isSetUp?: true;
  /** The last merge into the checkout: the merged tree, and the created commit, if any. */
  readonly merged?: { readonly tree: string; readonly commit?: string };
  /** The runner of a race that uses or used the worktree. */
  readonly race?: RaceEntry;
}

/** Size of a record that is read. */
const maxRecordBytes = 64 * 1024;

/** The folder of all worktrees, in the state folder: its real path, where it is there. */
export async function worktreesFolder(stateFolder: string): Promise<string> {
  const folder = path.join(stateFolder, 'worktrees');
  return realpath(folder).catch(() => folder);
}

/** Makes that folder, for the user alone. */
export async function makeWorktreesFolder(stateFolder: string): Promise<string> {
  const folder = path.join(stateFolder, 'worktrees');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw toWorkspaceError(error, 'create', folder);
  }
}

/** The folder of the worktrees of one repository. */
export function repositoryFolder(folder: string, { repository }: Pick<WorkingTree, 'repository'>): string {
  const digest = createHash('sha256').update(repository).digest('hex').slice(0, 8);
  const name = path.basename(path.dirname(repository)).replaceAll(/[^\w-]+/gu, '-');
  return path.join(folder, `${name}-${digest}`);
}

/** The lock of a session that works in a worktree. */
export function lockFile(record: NamedWorktree): string {
  return path.join(recordsFolder(path.dirname(record.path)), `${record.name}.lock`);
}

/**
 * Checks whether a process is creating or running something in the worktree; a session that continues in the hub has
 * no lock.
 */
export async function isInUse(record: NamedWorktree): Promise<boolean> {
  return (await lockHolder(lockFile(record))) !== undefined;
}

/** Stores a record in place of the one before. */
export async function writeRecord(record: WorktreeRecord): Promise<void> {
  const file = recordFile(record);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify({ version, ...record }, undefined, 2)}\n`);
  } catch (error) {
    throw toWorkspaceError(error, 'write', file);
  }
}

/** Changes what is stored now. Its caller holds the lock of the repository; a removed record is not created again. */
export async function changeRecord(
  record: NamedWorktree,
  change: Partial<Omit<WorktreeRecord, keyof NamedWorktree>>,
): Promise<void> {
  const stored = await readRecord(path.dirname(record.path), record.name);
  if (stored !== undefined) await writeRecord({ ...stored, ...change });
}

/** Removes the record of a worktree that no longer exists. */
export async function removeRecord(record: NamedWorktree): Promise<void> {
  await rm(recordFile(record), { force: true });
}

/** The files of all records. */
export async function recordFiles(folder: string): Promise<readonly string[]> {
  const folders = (await namesIn(folder)).map((name) => recordsFolder(path.join(folder, name)));
  const names = await Promise.all(
    folders.map(async (each) => (await namesIn(each)).map((name) => path.join(each, name))),
  );
  return names.flat().filter((file) => file.endsWith('.json'));
}

/** The record of a name among the worktrees of one repository. */
export async function readRecord(folder: string, name: string): Promise<WorktreeRecord | undefined> {
  const file = path.join(recordsFolder(folder), `${name}.json`);
  try {
    const bytes = await readNamedFile(file, { maxBytes: maxRecordBytes });
    const record = parseRecord(bytes.toString('utf8'));
    // The path is the one where the record is, also after the state folder was moved.
    if (record !== undefined) {
      return { ...record, path: path.join(folder, record.name), branch: await branchOf(record) };
    }
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'not-found') return undefined;
    throw error;
  }
  throw new WorkspaceError(
    'damaged',
    `read ${JSON.stringify(file)}: its content is damaged; delete this file to remove the worktree "${name}" from Parley. Its folder and its branch remain`,
    { path: file },
  );
}

/** All records, the oldest first. A damaged one is reported, and does not hide the others. */
export async function readRecords(
  folder: string,
  onDamaged: (error: WorkspaceError) => void,
): Promise<readonly WorktreeRecord[]> {
  const folders = (await namesIn(folder)).map((name) => path.join(folder, name));
  const records: WorktreeRecord[] = [];
  for (const each of folders) {
    for (const name of await namesIn(recordsFolder(each))) {
      if (!name.endsWith('.json')) continue;
      try {
        const record = await readRecord(each, name.slice(0, -'.json'.length));
        if (record !== undefined) records.push(record);
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        onDamaged(error);
      }
    }
  }
  return records.toSorted((left, right) => left.createdAt - right.createdAt);
}

const version = 1;

function recordsFolder(folder: string): string {
  return path.join(folder, '.records');
}

function recordFile(record: NamedWorktree): string {
  return path.join(recordsFolder(path.dirname(record.path)), `${record.name}.json`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    const known = toWorkspaceError(error, 'list', folder);
    if (known.code === 'not-found' || known.code === 'not-a-directory') return [];
    throw known;
  }
}

function parseRecord(text: string): WorktreeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not JSON: damaged, as the caller says.
    return undefined;
  }
}

const texts = 'name path branch repository checkout checkoutGitDir base baseRef start'.split(' ');

function isRecord(value: unknown): value is WorktreeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { gitDir, createdAt, isReady, merged, race } = fields;
  return (
    fields['version'] === version &&
    texts.every((name) => typeof fields[name] === 'string') &&
    typeof createdAt === 'number' &&
    typeof isReady === 'boolean' &&
    (gitDir === undefined || typeof gitDir === 'string') &&
    (merged === undefined || (typeof merged === 'object' && merged !== null && 'tree' in merged)) &&
    (race === undefined || isRaceEntry(race))
  );
}

import type { FileChange, FileEntry } from './checkpoint.ts';
import { isFileMode, readEntries, toEntry } from './entries.ts';
import type { Git } from './git.ts';
import type { CheckpointContent } from './store/content.ts';
import type { ObjectReader } from './store/object-reader.ts';
import { type BytePath, toBytePath, toWorkspacePath } from './workspace-path.ts';

/** What is compared with. */
export interface CompareTools {
  readonly git: Git;
  readonly gitDir: string;
  readonly reader: ObjectReader;
  readonly signal?: AbortSignal | undefined;
}

/** Two checkpoints. */
export interface ComparedContents {
  readonly before: CheckpointContent;
  readonly after: CheckpointContent;
}

/** What differs between two checkpoints, by path. */
export async function compareContents(
  tools: CompareTools,
  contents: ComparedContents,
): Promise<readonly FileChange[]> {
  const omittedAfter = new Set([...contents.after.uncovered, ...contents.after.omitted.keys()]);
  const wasUncovered = coverageTest(contents.before);
  // Where one of its names is not covered, nothing says that a file was renamed.
  const changes = await diffTrees(
    tools,
    contents,
    ({ oldName, name }) => wasUncovered(name) || omittedAfter.has(oldName),
  );
  const listed = new Set(changes.map(({ name }) => name));
  const modes = await changedPermissions(tools, contents, listed);
  return [...changes, ...modes]
    .map((one) => withOutgrown(one, contents.after.outgrown))
    .filter(({ name, change }) => change.status !== 'deleted' || !omittedAfter.has(name))
    .map(({ name, change }) => ({
      name,
      change:
        change.status === 'added' && wasUncovered(name) ? { ...change, wasUncovered: true as const } : change,
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ change }) => change);
}

/** A file that has grown over the limit is in the trees as deleted. */
function withOutgrown({ name, change }: NamedChange, outgrown: CheckpointContent['outgrown']): NamedChange {
  const after = outgrown.get(name);
  if (change.status !== 'deleted' || after === undefined) return { name, change };
  const { blob, permissions } = after;
  const mode = (permissions & 0o100) === 0 ? '100644' : '100755';
  return {
    name,
    change: {
      ...change,
      status: 'modified',
      deletions: 0,
      binary: false,
      after: { mode, permissions, blob },
      isTooLarge: true,
    },
  };
}

interface NamedChange {
  readonly name: BytePath;
  readonly change: FileChange;
}

/** Similarity from which two files count as a rename, and the maximum number of files to compare. */
const renameOptions = ['-M50%', '-l1000'];

async function diffTrees(
  tools: CompareTools,
  contents: ComparedContents,
  isUncertain: (renamed: DiffLine) => boolean,
): Promise<readonly NamedChange[]> {
  if (contents.before.files === contents.after.files) return [];
  const found = await diff(tools, contents, renameOptions);
  const isApart = (line: DiffLine): boolean => line.status === 'R' && (isLink(line) || isUncertain(line));
  if (!found.some(isApart)) return found.map((line) => toChange(line, contents));
  const apart = new Set(found.filter(isApart).flatMap(({ oldName, name }) => [oldName, name]));
  const plain = await diff(tools, contents, ['--no-renames']);
  return [...found.filter((line) => !isApart(line)), ...plain.filter(({ name }) => apart.has(name))].map(
    (line) => toChange(line, contents),
  );
}

interface DiffLine {
  readonly status: string;
  readonly name: BytePath;
  readonly oldName: BytePath;
  readonly beforeMode: string;
  readonly afterMode: string;
  readonly beforeBlob: string;
  readonly afterBlob: string;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** A renamed link is listed as deleted and added: a patch that renames links is refused by git. */
function isLink({ afterMode }: DiffLine): boolean {
  return afterMode === '120000';
}

async function diff(
  { git, gitDir, signal }: CompareTools,
  { before, after }: ComparedContents,
  options: readonly string[],
): Promise<readonly DiffLine[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--numstat',
    '--no-abbrev',
    '--no-ext-diff',
    '--no-textconv',
    ...options,
  ];
  const text = await git.run([...args, before.files, after.files], { gitDir, cwd: gitDir, signal });
  return parseDiff(text === '' ? [] : text.slice(0, -1).split('\0'));
}

/** First the changes with modes and ids, then the same ones with their counts. */
function parseDiff(parts: readonly string[]): readonly DiffLine[] {
  const raw: (readonly [head: string, oldName: string, name: string])[] = [];
  let at = 0;
  for (let head = parts[at]; head?.startsWith(':') === true; head = parts[at]) {
    const isPair = /[RC]\d*$/u.test(head);
    const oldName = parts[at + 1] ?? '';
    raw.push([head, oldName, isPair ? (parts[at + 2] ?? '') : oldName]);
    at += isPair ? 3 : 2;
  }
  return raw.map(([head, oldName, name]) => {
    const counts = parts[at] ?? '';
    const [added = '', deleted = '', path = ''] = counts.split('\t');
    at += path === '' ? 3 : 1;
    const [beforeMode = '', afterMode = '', beforeBlob = '', afterBlob = '', status = ''] = head
      .slice(1)
      .split(' ');
    return {
      status: status.charAt(0),
      name,
      oldName,
      beforeMode,
      afterMode,
      beforeBlob,
      afterBlob,
      additions: Number(added) || 0,
      deletions: Number(deleted) || 0,
      binary: added === '-',
    };
  });
}

function toChange(line: DiffLine, { before, after }: ComparedContents): NamedChange {
  const { name, oldName, status, additions, deletions, binary } = line;
  const entryOf = (
    content: CheckpointContent,
    mode: string,
    blob: string,
    at: BytePath,
  ): FileEntry | undefined =>
    isFileMode(mode) ? toEntry({ mode, blob, name: at }, content.permissions) : undefined;
  const old = entryOf(before, line.beforeMode, line.beforeBlob, oldName);
  const now = entryOf(after, line.afterMode, line.afterBlob, name);
  return {
    name,
    change: {
      path: toWorkspacePath(name),
      ...(status === 'R' && { oldPath: toWorkspacePath(oldName) }),
      status: toStatus(line),
      additions,
      deletions,
      binary,
      ...(old !== undefined && { before: old }),
      ...(now !== undefined && { after: now }),
    },
  };
}

function toStatus({ status, beforeBlob, afterBlob }: DiffLine): FileChange['status'] {
  switch (status) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    case 'T':
      return 'modified';
    default:
      return beforeBlob === afterBlob ? 'mode' : 'modified';
  }
}

/** Files that differ only in their exact permissions. */
async function changedPermissions(
  tools: CompareTools,
  { before, after }: ComparedContents,
  listed: ReadonlySet<BytePath>,
): Promise<readonly NamedChange[]> {
  const [old, current] = [before.permissions.usual, after.permissions.usual];
  const hasSameUsual = old.file === current.file && old.executable === current.executable;
  const noted = new Set([...before.permissions.others.keys(), ...after.permissions.others.keys()]);
  const differing = [...noted].filter(
    (name) => !listed.has(name) && before.permissions.others.get(name) !== after.permissions.others.get(name),
  );
  if (hasSameUsual && differing.length === 0) return [];
  const now = await readEntries(tools, after, hasSameUsual ? differing : undefined);
  return now.flatMap((entry) => {
    const name = toBytePath(entry.path);
    const { path, ...rest } = entry;
    const earlier = toEntry({ ...rest, name }, before.permissions);
    if (listed.has(name) || earlier.permissions === rest.permissions) return [];
    const change = {
      path,
      status: 'mode' as const,
      additions: 0,
      deletions: 0,
      binary: false,
      before: earlier,
      after: rest,
    };
    return [{ name, change }];
  });
}

/** Returns a test whether a checkpoint covers a path. If not, it does not show whether the file existed. */
function coverageTest({ ignored, omitted, uncovered }: CheckpointContent): (name: BytePath) => boolean {
  const left = new Set([...ignored.map((name) => name.replace(/\/$/u, '')), ...omitted.keys(), ...uncovered]);
  return (name) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
      if (left.has(name.slice(0, end))) return true;
    }
    return false;
  };
}

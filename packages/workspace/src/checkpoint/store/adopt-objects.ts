import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../../error.ts';
import { type Git, type GitRun, startsNothing } from '../git.ts';
import type { FoundFile } from '../walk/inspect.ts';
import { pauses } from '../walk/pauses.ts';
import type { CoverageRules } from '../walk/rules.ts';
import { list } from '../walk/walk.ts';
import type { BytePath } from '../workspace-path.ts';
import { type IndexEntry, nsPerSecond } from './index-file.ts';
import { isId } from './store.ts';

/** A folder in the user's repository. */
export interface AdoptRequest {
  readonly git: Git;
  readonly gitDir: string;
  /** Absolute. */
  readonly folder: string;
  readonly rules: CoverageRules;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies the contents of files that are unchanged according to the user's index from the user's repository into the store, without reading the files. The
 * repository is only read, and is not needed afterwards. Files that git converts when it adds them are left out.
 */
export async function adoptObjects(
  request: AdoptRequest,
  present: ReadonlyMap<BytePath, FoundFile>,
): Promise<readonly IndexEntry[]> {
  const { rules, signal } = request;
  const { userGitDir, userObjects } = rules;
  // git reads the variable as a list of paths.
  if (userGitDir === undefined || userObjects === undefined || /[:;"\n]/u.test(userObjects)) return [];
  try {
    const clean = await findClean(request, userGitDir, present);
    const exact = clean.length === 0 ? [] : await withoutConverted(request, userGitDir, clean);
    if (exact.length > 0) await copyObjects(request, userGitDir, [...new Set(exact.map(({ id }) => id))]);
    return exact;
  } catch (error) {
    signal?.throwIfAborted();
    // An index that cannot be read, or objects that are missing, as in a partial clone: the files are read.
    if (error instanceof WorkspaceError && error.code === 'failed') return [];
    throw error;
  }
}

/** Files whose stat data equal the user's index, and are older than it. */
async function findClean(
  { git, folder, rules, signal }: AdoptRequest,
  userGitDir: string,
  present: ReadonlyMap<BytePath, FoundFile>,
): Promise<readonly IndexEntry[]> {
  const index = await lstat(path.join(userGitDir, 'index'), { bigint: true }).catch(() => undefined);
  if (index === undefined) return [];
  const writtenAt = Number(index.mtimeNs / nsPerSecond);
  const text = await git.run([...startsNothing, 'ls-files', '-z', '--stage', '--debug'], {
    gitDir: userGitDir,
    cwd: folder,
    workTree: rules.workTree,
    signal,
  });
  const pause = pauses(signal);
  const clean: IndexEntry[] = [];
  for (const match of text.matchAll(debugEntry)) {
    await pause();
    const [, mode = '', id = '', stage, name = '', ...texts] = match;
    const flags = texts.pop() ?? '';
    const [ctime = '', ctimeRest = '', mtime = '', mtimeRest = '', ...others] = texts;
    const [dev = 0n, ino = 0n, uid = 0n, gid = 0n, size = 0n] = others.map(BigInt);
    const found = present.get(name);
    const stats = {
      mode: Number.parseInt(mode, 8),
      ctimeNs: toNanoseconds(ctime, ctimeRest),
      mtimeNs: toNanoseconds(mtime, mtimeRest),
      dev,
      ino,
      uid,
      gid,
      size,
    };
    const isOld = Number(ctime) < writtenAt && Number(mtime) < writtenAt && ctimeRest !== '0';
    const isAdded = stage === '0' && (Number.parseInt(flags, 16) & intentToAdd) === 0;
    if (isOld && isAdded && isId(id) && found !== undefined && isSame(found, stats)) {
      clean.push({ name, id, stats });
    }
  }
  return clean;
}

function toNanoseconds(seconds: string, rest: string): bigint {
  return BigInt(seconds + rest.padStart(9, '0'));
}

/** Output of `git ls-files --stage --debug` for one file. */
const debugEntry =
  /(\d+) ([0-9a-f]+) (\d)\t([^\0]+)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: (\d+)\tino: (\d+)\n {2}uid: (\d+)\tgid: (\d+)\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/gu;

/** Flag of an entry without content, by `git add --intent-to-add`. */
const intentToAdd = 0x2000_0000;

function isSame(found: FoundFile, stats: IndexEntry['stats']): boolean {
  return (
    found.ctimeNs === stats.ctimeNs &&
    found.mtimeNs === stats.mtimeNs &&
    found.mode === stats.mode &&
    BigInt.asUintN(32, found.ino) === stats.ino &&
    BigInt.asUintN(32, found.size) === stats.size
  );
}

/** Leaves out files whose content in the repository differs from the disk because of filters, encodings or line endings. */
async function withoutConverted(
  request: AdoptRequest,
  userGitDir: string,
  clean: readonly IndexEntry[],
): Promise<readonly IndexEntry[]> {
  const { git, folder, rules, signal } = request;
  const asUser: GitRun = { gitDir: userGitDir, cwd: folder, signal, asUser: true };
  const repository = [...startsNothing, `--git-dir=${userGitDir}`, `--work-tree=${rules.workTree}`];
  const input = clean.map(({ name }) => `${name}\0`).join('');
  const [attributes, autocrlf] = await Promise.all([
    list(git, [...repository, 'check-attr', '-z', '--stdin', '--all'], { ...asUser, input }),
    git.run([...repository, 'config', '--get', 'core.autocrlf'], { ...asUser, accept: [1] }),
  ]);
  const filtered = new Set<BytePath>();
  const shortened = new Set<BytePath>();
  for (let at = 0; at + 2 < attributes.length; at += 3) {
    const [name = '', attribute = '', value] = attributes.slice(at, at + 3);
    if (value === 'unset') continue;
    if (attribute === 'filter' || attribute === 'working-tree-encoding') filtered.add(name);
    else if (['text', 'eol', 'crlf', 'ident'].includes(attribute)) shortened.add(name);
  }
  const hasLineEnds = !['', 'false'].includes(autocrlf.trim());
  const isShortened = ({ name, stats }: IndexEntry): boolean =>
    stats.mode !== 0o120000 && (hasLineEnds || shortened.has(name));
  const unfiltered = clean.filter(({ name }) => !filtered.has(name));
  const sizes = await sizesOf(request, unfiltered.filter(isShortened));
  // These conversions only ever remove bytes.
  return unfiltered.filter((entry) => !isShortened(entry) || sizes.get(entry.id) === entry.stats.size);
}

async function sizesOf(
  { git, gitDir, rules, signal }: AdoptRequest,
  entries: readonly IndexEntry[],
): Promise<ReadonlyMap<string, bigint>> {
  if (entries.length === 0) return new Map();
  const text = await git.run(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    gitDir,
    cwd: gitDir,
    alternate: rules.userObjects,
    input: entries.map(({ id }) => `${id}\n`).join(''),
    signal,
  });
  const sizes = text.matchAll(/^([0-9a-f]{40}) (\d+)$/gmu);
  return new Map([...sizes].map(([, id = '', size = '']) => [id, BigInt(size)]));
}

/** Copies objects into one pack of the store, together with the trees of the last commit: `write-tree` then writes only those that differ. */
async function copyObjects(
  { git, gitDir, rules, signal }: AdoptRequest,
  userGitDir: string,
  ids: readonly string[],
): Promise<void> {
  const folders = await git.run(
    [...startsNothing, 'ls-tree', '-r', '-d', '-t', '-z', '--full-tree', 'HEAD'],
    {
      gitDir: userGitDir,
      cwd: gitDir,
      accept: [128],
      signal,
    },
  );
  const trees = [...folders.matchAll(/(?:^|\0)040000 tree ([0-9a-f]{40})\t/gu)].map(([, id = '']) => id);
  const target = path.join(gitDir, 'objects', 'pack', 'pack');
  const args = ['pack-objects', '--quiet', '--threads=1', '--window=0', '--delta-base-offset', target];
  const input = [...ids, ...new Set(trees)].map((id) => `${id}\n`).join('');
  await git.run(args, { gitDir, cwd: gitDir, alternate: rules.userObjects, input, signal });
}

import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from '../../files/confinement/roots.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { Git } from '../git.ts';

/** The rules that decide which files of a folder are covered: those of its repository, if any. */
export interface CoverageRules {
  /** The top folder of that repository, else the folder itself. */
  readonly workTree: string;
  /** That repository's own folder, which is only read. */
  readonly userGitDir?: string;
  /** The folder of its objects. */
  readonly userObjects?: string;
  /** Options of `git ls-files`. */
  readonly args: readonly string[];
  /** Another one, when files outside of the folder changed the rules. */
  readonly fingerprint: string;
}

/** Options of a search for rules. */
export interface RulesRequest {
  /** Absolute. */
  readonly folder: string;
  /** A nested repository has its own rules alone. */
  readonly isNested: boolean;
  /** Parley's state folder, which is left out. */
  readonly stateDir: string;
  /** The file that the user's `core.excludesFile` names. */
  readonly userExcludes: string;
  /** git's folder in the store. */
  readonly gitDir: string;
  /** The fingerprint of the last take. */
  readonly known?: string | undefined;
}

/** Reads the rules for a folder. One that a repository around it ignores as a whole has none of its rules. */
export async function readRules(git: Git, request: RulesRequest): Promise<CoverageRules> {
  const found = await findRepository(request);
  const inside = await rulesOf(request, found);
  if (found === undefined || found.top === request.folder) return inside;
  const outside = await rulesOf(request, undefined);
  // Whether it is ignored depends on these very rules.
  const ignored = { ...outside, fingerprint: hash([outside.fingerprint, inside.fingerprint]) };
  if (request.known === inside.fingerprint) return inside;
  if (request.known === ignored.fingerprint) return ignored;
  return (await isIgnored(git, found, request)) ? ignored : inside;
}

async function rulesOf(
  { folder, stateDir, userExcludes, gitDir }: RulesRequest,
  found: Repository | undefined,
): Promise<CoverageRules> {
  const workTree = found?.top ?? folder;
  const lists = [
    userExcludes,
    ...(found === undefined ? [] : [path.join(found.commonDir, 'info', 'exclude')]),
  ];
  const excludes = (await Promise.all(lists.map(readList))).join('\n');
  const above = found === undefined ? [] : foldersBetween(found.top, folder);
  const inherited = await Promise.all(above.map((parent) => readList(path.join(parent, '.gitignore'))));
  const isStateInside = isBelow(workTree, stateDir) && stateDir !== workTree;
  const args = ['--exclude-per-directory=.gitignore'];
  if (excludes.trim() !== '') args.push(`--exclude-from=${await storeList(gitDir, excludes)}`);
  if (isStateInside) args.push(`--exclude=${literalPattern(path.relative(workTree, stateDir))}`);
  const fingerprint = hash([workTree, found?.gitDir, args, excludes, inherited]);
  if (found === undefined) return { workTree, args, fingerprint };
  const userObjects = path.join(found.commonDir, 'objects');
  return { workTree, args, fingerprint, userGitDir: found.gitDir, userObjects };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Whether a folder has its own `.git` that leads to a repository. */
export async function isRepository(folder: string): Promise<boolean> {
  return (await gitDirOf(folder)) !== undefined;
}

interface Repository {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/** The repository that a folder is in. */
async function findRepository({ folder, isNested }: RulesRequest): Promise<Repository | undefined> {
  for (let top = folder; ; top = path.dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) return { top, gitDir, commonDir: await commonDirOf(gitDir) };
    if (isNested || top === path.dirname(top)) return undefined;
  }
}

async function isIgnored(
  git: Git,
  { top }: Repository,
  { folder, gitDir, userExcludes }: RulesRequest,
): Promise<boolean> {
  const args = ['-c', `core.excludesFile=${userExcludes}`, 'check-ignore', '--no-index'];
  const options = { gitDir, cwd: top, workTree: top, accept: [1, 128] };
  return (await git.run([...args, path.relative(top, folder)], options)) !== '';
}

async function gitDirOf(folder: string): Promise<string | undefined> {
  const entry = path.join(folder, '.git');
  try {
    const stats = await lstat(entry);
    if (stats.isFile() && stats.size > 8192) return undefined;
    const target = stats.isFile()
      ? /^gitdir: ?(.+?)\r?\n*$/su.exec(await readFile(entry, 'utf8'))?.[1]
      : entry;
    if (target === undefined) return undefined;
    const gitDir = path.resolve(folder, target);
    return (await stat(path.join(gitDir, 'HEAD'))).isFile() ? gitDir : undefined;
  } catch {
    // Missing, unreadable, or leading nowhere: no repository.
    return undefined;
  }
}

async function commonDirOf(gitDir: string): Promise<string> {
  const named = await readFile(path.join(gitDir, 'commondir'), 'utf8').catch(() => '.');
  return path.resolve(gitDir, named.trim());
}

/** A folder's parents up to `top`, which is the last. */
function foldersBetween(top: string, folder: string): readonly string[] {
  const folders: string[] = [];
  for (let parent = folder; parent !== top;) {
    parent = path.dirname(parent);
    folders.push(parent);
  }
  return folders;
}

/** Size of a file with ignore patterns. */
const mostListBytes = 1024 * 1024;

async function readList(file: string): Promise<string> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= mostListBytes ? await readFile(file, 'latin1') : '';
  } catch {
    // Most users have none.
    return '';
  }
}

/** A copy: the user may change or remove the original while git reads it. */
async function storeList(gitDir: string, text: string): Promise<string> {
  const folder = path.join(gitDir, 'excludes');
  const file = path.join(folder, createHash('sha256').update(text).digest('hex').slice(0, 32));
  if ((await readFile(file, 'latin1').catch(() => undefined)) === text) return file;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(file, text);
  return file;
}

function literalPattern(relative: string): string {
  const slashed = relative.split(path.sep).join('/');
  return `/${slashed.replaceAll(/[\\*?[\]!#]/gu, String.raw`\$&`)}/`;
}

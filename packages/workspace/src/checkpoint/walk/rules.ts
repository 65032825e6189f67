import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isBelow } from '../../files/confinement/roots.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { Git } from '../git.ts';

/** What decides which files of a folder are covered: the rules of the repository that it is in, if any. */
export interface CoverageRules {
  /** The top folder of that repository, else the folder itself. */
  readonly workTree: string;
  /** That repository's own folder, which is only read. */
  readonly userGitDir?: string;
  /** Options of `git ls-files`. */
  readonly args: readonly string[];
  /** Another one, when files outside of the folder changed the rules. */
  readonly fingerprint: string;
}

/** A folder whose rules are asked for. */
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
}

/** Reads the rules for a folder. */
export async function readRules(git: Git, request: RulesRequest): Promise<CoverageRules> {
  const { folder, stateDir, userExcludes, gitDir } = request;
  const found = await findRepository(git, request);
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
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([workTree, found?.gitDir, args, excludes, inherited]))
    .digest('hex');
  return { workTree, args, fingerprint, ...(found !== undefined && { userGitDir: found.gitDir }) };
}

/** The file of the user's own ignore rules. */
export async function findUserExcludes(git: Git, folder: string): Promise<string> {
  const configured = await git
    .run(['config', '--path', '--get', 'core.excludesFile'], {
      gitDir: '',
      cwd: folder,
      asUser: true,
      accept: [1],
    })
    // A configuration that git cannot read names no file.
    .catch(() => '');
  const named = Buffer.from(configured, 'latin1').toString('utf8').replace(/\n$/u, '');
  if (named !== '') return path.resolve(folder, named);
  const home = process.env['XDG_CONFIG_HOME'];
  const folderOfSettings = home === undefined || home === '' ? path.join(os.homedir(), '.config') : home;
  return path.join(folderOfSettings, 'git', 'ignore');
}

/** Whether a folder has a `.git` of its own that leads to a repository. */
export async function isRepository(folder: string): Promise<boolean> {
  return (await gitDirOf(folder)) !== undefined;
}

interface Repository {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/** The repository that a folder is in. One that ignores the folder as a whole does not rule it. */
async function findRepository(
  git: Git,
  { folder, isNested, gitDir, userExcludes }: RulesRequest,
): Promise<Repository | undefined> {
  for (let top = folder; ; top = path.dirname(top)) {
    const found = await gitDirOf(top);
    if (found !== undefined) {
      const repository = { top, gitDir: found, commonDir: await commonDirOf(found) };
      if (top === folder) return repository;
      const ignored = await git.run(
        ['-c', `core.excludesFile=${userExcludes}`, 'check-ignore', '--no-index', path.relative(top, folder)],
        { gitDir, cwd: top, workTree: top, accept: [1, 128] },
      );
      return ignored === '' ? repository : undefined;
    }
    if (isNested || top === path.dirname(top)) return undefined;
  }
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

/** The largest list of ignore patterns that is read. */
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

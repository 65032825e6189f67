import { readdirSync, type Dirent } from 'node:fs';
import { lstat, readFile, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { WorkspaceError } from '../../error.ts';
import { isPlaceholderFolder } from '../placeholders.ts';
import { refuseLink } from './refuse-link.ts';

/** A checkout, and where its repository is. */
export interface FoundRepository {
  /** The folder that has the `.git` entry, or that is itself the repository (`isBare`). */
  readonly root: string;
  readonly isBare: boolean;
  /** Whether `.git` is a file that names the repository, as in a linked worktree or a submodule. */
  readonly isLinked: boolean;
  /** HEAD and index of this checkout. */
  readonly gitDir: string;
  /** Objects, references and configuration. */
  readonly commonDir: string;
}

/** Folders that are searched for repositories. */
const maxSearchedFolders = 1_000_000;

/** Folders that are read before other work of the process may run. */
const foldersAtOnce = 100;

/** Finds all repositories in a folder, its own included; with `isDeep: false` only that. Symbolic links are not followed. */
export async function findRepositories(
  folder: string,
  { isDeep = true }: { readonly isDeep?: boolean } = {},
): Promise<readonly FoundRepository[]> {
  if (!isDeep) {
    const own = await repositoryAt(folder);
    return own === undefined ? [] : [own];
  }
  const found: FoundRepository[] = [];
  const waiting = [folder];
  let searched = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    searched += 1;
    if (searched > maxSearchedFolders) throw tooMany(folder);
    if (searched % foldersAtOnce === 0) await setImmediate();
    const entries = entriesOf(next);
    if (isBare(entries)) {
      found.push({ root: next, isBare: true, isLinked: false, gitDir: next, commonDir: next });
    }
    for (const entry of entries) {
      if (entry.name === '.git') {
        const repository = await repositoryAt(next);
        if (repository !== undefined) found.push(repository);
      } else if (entry.isDirectory()) {
        waiting.push(`${next}/${entry.name}`);
      }
    }
  }
  return found;
}

/** Finds the repository that a folder is in, where it is above the folder. */
export async function repositoryAround(folder: string): Promise<FoundRepository | undefined> {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    // A link can be followed here: what is above the folder cannot be written.
    const found = await repositoryAt(at, { mayBeLink: true });
    if (found !== undefined || at === path.dirname(at)) return found;
  }
}

/** Reads the `.git` entry of a folder; undefined where it leads to no repository. */
async function repositoryAt(
  root: string,
  { mayBeLink = false }: { readonly mayBeLink?: boolean } = {},
): Promise<FoundRepository | undefined> {
  const entry = path.join(root, '.git');
  const stats = await (mayBeLink ? stat(entry) : lstat(entry)).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!mayBeLink) await refuseLink(entry);
  if (stats.isDirectory()) {
    // That of another sandbox becomes no repository while it is used.
    if (isPlaceholderFolder(entry)) return undefined;
    return { root, isBare: false, isLinked: false, gitDir: entry, commonDir: entry };
  }
  const named = await lineOf(entry);
  const gitDir = named?.startsWith('gitdir: ') === true ? await real(root, named.slice(8)) : undefined;
  if (gitDir === undefined) return undefined;
  const common = await lineOf(path.join(gitDir, 'commondir'));
  const commonDir = common === undefined ? gitDir : await real(gitDir, common);
  return commonDir === undefined ? undefined : { root, isBare: false, isLinked: true, gitDir, commonDir };
}

/** Whether git takes a folder for a repository, by the names in it. */
function isBare(entries: readonly Dirent[]): boolean {
  return bareNames.every((name) => entries.some((entry) => entry.name === name));
}

/** What git looks for in a folder that may be a repository. `objects` and `refs` may also be where `commondir` says. */
export const bareNames: readonly string[] = ['HEAD', 'objects', 'refs'];

/** Returns the repositories of submodules in a repository, also of those that are not checked out. */
export async function submoduleGitDirs(commonDir: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [path.join(commonDir, 'modules')];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    const isGitDir = entries.some(({ name }) => name === 'HEAD');
    if (isGitDir) found.push(next);
    // The name of a submodule can have slashes.
    const further = isGitDir ? entries.filter(({ name }) => name === 'modules') : entries;
    for (const entry of further) if (entry.isDirectory()) waiting.push(path.join(next, entry.name));
  }
  return found;
}

/** Returns the folders that a repository has for its linked worktrees. */
export async function worktreeGitDirs(commonDir: string): Promise<readonly string[]> {
  const folder = path.join(commonDir, 'worktrees');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
}

/** The first line of a small file. */
export async function lineOf(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text?.split('\n', 1)[0]?.trim();
}

async function real(base: string, named: string): Promise<string | undefined> {
  return await realpath(path.resolve(base, named)).catch(() => undefined);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed meanwhile, or not readable: git finds no repository there either.
    return [];
  }
}

function tooMany(folder: string): WorkspaceError {
  return new WorkspaceError(
    'not-started',
    `search ${JSON.stringify(folder)} for repositories to protect: more than ${String(maxSearchedFolders)} folders; ` +
      'start the session in a folder inside it',
    { path: folder },
  );
}

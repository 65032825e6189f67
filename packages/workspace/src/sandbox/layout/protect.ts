import { existsSync, lstatSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from '../../files/confinement/roots.ts';
import { isPlaceholderFolder, type MountPoint } from '../placeholders.ts';
import {
  type FoundRepository,
  bareNames,
  findRepositories,
  lineOf,
  repositoryAround,
  submoduleGitDirs,
  worktreeGitDirs,
} from './find-repositories.ts';
import { type GitSettingPaths, gitSettingPaths } from './git-settings.ts';
import { hiddenHomeNames, protectedHomeNames, protectedNames } from './protected-names.ts';
import { refuseLink } from './refuse-link.ts';

/** What is protected in the folders that a sandbox may write to. */
export interface Protections {
  /** Cannot be written. */
  readonly readOnly: readonly string[];
  /** Can be written, but not moved: a protected path is inside. */
  readonly pinned: readonly string[];
  /** What takes the place of those that do not exist, parents first: mount points are needed there. */
  readonly mountPoints: readonly MountPoint[];
  /** Parts of repositories outside of the folders, which linked worktrees write to. */
  readonly outside: readonly string[];
  /** Repositories of linked worktrees, which must be readable. */
  readonly repositories: readonly string[];
  /** Folders that an agent could make repositories by files in them, which cannot be prevented. */
  readonly convertible: readonly string[];
}

/** Folders to protect, as real paths. */
export interface ProtectOptions {
  /** Folders that can be written, with all repositories in them. */
  readonly folders: readonly string[];
  readonly homes: readonly string[];
}

/** Looks up what is protected. Rejects with `not-started` where a protected name is a symbolic link, which no mount can protect. */
export async function findProtections(options: ProtectOptions): Promise<Protections> {
  const builder = new ProtectionsBuilder(options.folders);
  for (const folder of options.folders) {
    // git runs while the folders are searched.
    const [settings, repositories] = await Promise.all([settingsIn(folder), findRepositories(folder)]);
    await builder.addNames(folder, protectedNames);
    // Where there is no repository, none can be created.
    const own = repositories.filter(({ root }) => root === folder);
    if (own.length === 0) await builder.addBareNames(folder);
    if (own.every(({ isBare }) => isBare)) {
      await builder.addNames(folder, ['.git']);
      const around = await repositoryAround(folder);
      if (around !== undefined) await builder.addSettings(await gitSettingPaths(around));
    }
    for (const repository of repositories) {
      const isOwn = repository.root === folder && !repository.isBare;
      await builder.addRepository(repository, folder, isOwn ? settings : undefined);
    }
  }
  for (const home of options.homes) await builder.addHomeNames(home);
  return builder.build();
}

/** The settings of the repository that a folder is the root of. */
async function settingsIn(folder: string): Promise<GitSettingPaths | undefined> {
  const [own] = await findRepositories(folder, { isDeep: false });
  return own === undefined ? undefined : await gitSettingPaths(own);
}

class ProtectionsBuilder {
  readonly #writable: readonly string[];
  readonly #readOnly = new Set<string>();
  readonly #pinned = new Set<string>();
  readonly #mountPoints = new Map<string, MountPoint>();
  readonly #outside = new Set<string>();
  readonly #repositories = new Set<string>();
  readonly #convertible = new Set<string>();

  constructor(writable: readonly string[]) {
    this.#writable = writable;
  }

  async addNames(folder: string, names: readonly string[]): Promise<void> {
    const files = names.map((name) => path.join(folder, name));
    await this.#refuseLinks(files);
    for (const file of files) this.#add(file);
  }

  /**
   * Where the `.git` of a folder is no repository, which an agent can bring about, git takes the folder itself for one if it has `HEAD`, `objects` and
   * `refs`, and then runs programs that its `config` names. One of the latter becomes a socket, in which git finds nothing. `HEAD` must stay free: git takes
   * it for the file in `git diff HEAD`.
   */
  async addBareNames(root: string): Promise<void> {
    await this.addNames(root, ['commondir']);
    const free = ['refs', 'objects'].map((name) => path.join(root, name)).find((file) => isFree(file));
    if (free === undefined) this.#convertible.add(root);
    else this.#add(free, 'socket');
  }

  /** What counts in a home folder, as far as it can be written: there, git reads its file, so that a folder in its place would be an error of every git command. */
  async addHomeNames(home: string): Promise<void> {
    // Those that exist are hidden.
    await this.addNames(home, [...protectedNames, ...protectedHomeNames, ...hiddenHomeNames]);
    await this.#protect(path.join(home, '.gitconfig'), '');
  }

  /** `known`: the settings of the repository, where they were asked for before. */
  async addRepository(repository: FoundRepository, folder: string, known?: GitSettingPaths): Promise<void> {
    const { root, isBare, isLinked, gitDir, commonDir } = repository;
    if (root !== folder && !isBare) await this.addNames(root, protectedNames);
    if (isBare) {
      if (root !== folder) this.#pin(root);
    } else await this.#addEntry(path.join(root, '.git'), isLinked);
    if (isLinked && root === folder) await this.#openOutside(repository);
    await this.#protectGitDir(commonDir);
    if (gitDir !== commonDir) await this.#protectWorktree(gitDir);
    for (const each of await worktreeGitDirs(commonDir)) await this.#protectWorktree(each);
    for (const each of await submoduleGitDirs(commonDir)) await this.#protectGitDir(each);
    await this.addSettings(known ?? (await gitSettingPaths(repository)));
  }

  async #addEntry(entry: string, isLinked: boolean): Promise<void> {
    // git looks no further if a file names no repository.
    if (isLinked) return await this.#protect(entry);
    this.#pin(entry);
    await this.addBareNames(path.dirname(entry));
  }

  /** Protects what the settings of a repository name, as far as it can be written. */
  async addSettings({ files, hooks }: GitSettingPaths): Promise<void> {
    for (const file of files) await this.#protect(file, '');
    if (hooks === undefined) return;
    await this.#protect(hooks);
    // husky: the hooks in its folder `_` run files beside that folder.
    if (path.basename(hooks) === '_') await this.#protect(path.dirname(hooks));
  }

  build(): Protections {
    // A read-only folder protects what is in it.
    const readOnly = [...this.#readOnly].filter(
      (file) => ![...this.#readOnly].some((other) => other !== file && isBelow(other, file)),
    );
    const pinned = [...this.#pinned].filter((file) => !readOnly.some((other) => isBelow(other, file)));
    const mounted = new Set([...readOnly, ...pinned]);
    const mountPoints = [...this.#mountPoints.values()].filter((each) => mounted.has(each.path));
    return {
      readOnly,
      pinned,
      mountPoints,
      outside: [...this.#outside],
      repositories: [...this.#repositories],
      convertible: [...this.#convertible].filter((root) => !isRepository(root)),
    };
  }

  async #protectGitDir(gitDir: string): Promise<void> {
    if (this.#writableAround(gitDir) === undefined) return;
    await this.#protect(path.join(gitDir, 'config'), '');
    await this.#protect(path.join(gitDir, 'hooks'));
    await this.#protect(path.join(gitDir, 'commondir'), '.\n');
    await this.#protect(path.join(gitDir, 'config.worktree'), '');
    // Older places of remotes.
    for (const name of ['remotes', 'branches']) await this.#protect(path.join(gitDir, name));
  }

  /** The folder of a linked worktree in its repository: hooks and configuration are those of the repository. */
  async #protectWorktree(gitDir: string): Promise<void> {
    await this.#protect(path.join(gitDir, 'commondir'), '.\n');
    await this.#protect(path.join(gitDir, 'gitdir'), '');
    await this.#protect(path.join(gitDir, 'config.worktree'), '');
  }

  /** Commits of a linked worktree write to its repository. The repository must name the worktree, or any file could open any folder. */
  async #openOutside({ root, gitDir, commonDir }: FoundRepository): Promise<void> {
    if (gitDir === commonDir) return;
    const back = await lineOf(path.join(gitDir, 'gitdir'));
    const named =
      back === undefined ? undefined : await realpath(path.resolve(gitDir, back)).catch(() => undefined);
    const isListed = (await worktreeGitDirs(commonDir)).includes(gitDir);
    if (named !== path.join(root, '.git') || !isListed) return;
    for (const name of ['objects', 'refs', 'logs', 'reftable']) {
      const part = path.join(commonDir, name);
      const stats = await lstat(part).catch(() => undefined);
      if (stats?.isDirectory() === true) this.#outside.add(part);
    }
    this.#outside.add(gitDir);
    this.#repositories.add(commonDir);
  }

  /** Protects a path in a writable folder; `content` is that of the file that takes the path while it is missing, else a folder does. */
  async #protect(file: string, content?: '' | '.\n'): Promise<void> {
    await this.#refuseLinks([file]);
    this.#add(file, content);
  }

  async #refuseLinks(files: readonly string[]): Promise<void> {
    await Promise.all(files.flatMap((file) => this.#stepsTo(file)).map((each) => refuseLink(each)));
  }

  #add(file: string, content?: '' | '.\n' | 'socket'): void {
    const steps = this.#stepsTo(file);
    if (steps.length === 0) return;
    for (const parent of steps.slice(0, -1)) {
      // No file can be created in a folder that cannot be created.
      if (content !== undefined && isMissing(parent)) {
        this.#add(parent);
        return;
      }
      this.#pin(parent);
      this.#mountPoints.set(parent, { kind: 'folder', path: parent });
    }
    this.#readOnly.add(file);
    this.#mountPoints.set(file, toMountPoint(file, content));
  }

  /** The folders below a writable one that lead to a path, and the path; none for a path that cannot be written. */
  #stepsTo(file: string): readonly string[] {
    const around = this.#writableAround(file);
    return around === undefined || around === file ? [] : [...foldersBetween(around, file), file];
  }

  #pin(folder: string): void {
    this.#pinned.add(folder);
  }

  #writableAround(file: string): string | undefined {
    return [...this.#writable, ...this.#outside]
      .filter((each) => isBelow(each, file))
      .toSorted((a, b) => a.length - b.length)[0];
  }
}

function toMountPoint(file: string, content?: '' | '.\n' | 'socket'): MountPoint {
  if (content === undefined) return { kind: 'folder', path: file };
  return content === 'socket' ? { kind: content, path: file } : { kind: 'file', path: file, content };
}

/** Whether git takes the folder itself for a repository. */
export function isRepository(folder: string): boolean {
  return bareNames.every((name) => existsSync(path.join(folder, name)));
}

/** Whether a file does not exist, except as the socket that another sandbox put there. */
function isFree(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSocket() ?? true;
}

/** Whether a folder does not exist, except as the placeholder of another sandbox. */
function isMissing(folder: string): boolean {
  return !existsSync(folder) || isPlaceholderFolder(folder);
}

/** The folders below one and above a file, from the top. */
function foldersBetween(folder: string, file: string): readonly string[] {
  const between: string[] = [];
  for (let at = path.dirname(file); at !== folder; at = path.dirname(at)) between.unshift(at);
  return between;
}

import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isBelow } from '../../files/confinement/roots.ts';
import { isPlaceholderFolder, type MountPoint } from '../placeholders.ts';
import {
  type FoundRepository,
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
}

/** Folders to protect, as real paths. */
export interface ProtectOptions {
  /** The session's folders, with all repositories in them. */
  readonly folders: readonly string[];
  /** Other folders that can be written: protected where they are repositories themselves. */
  readonly others: readonly string[];
  readonly homes: readonly string[];
}

/** Looks up what is protected. Rejects with `not-started` where a protected name is a symbolic link, which no mount can protect. */
export async function findProtections(options: ProtectOptions): Promise<Protections> {
  const builder = new ProtectionsBuilder([...options.folders, ...options.others]);
  for (const folder of options.folders) {
    // git runs while the folders are searched.
    const [settings, repositories] = await Promise.all([settingsIn(folder), findRepositories(folder)]);
    await builder.addNames(folder, protectedNames);
    // Where there is no repository, none can be created.
    if (!repositories.some(({ root }) => root === folder)) {
      await builder.addNames(folder, ['.git']);
      const around = await repositoryAround(folder);
      if (around !== undefined) await builder.addSettings(await gitSettingPaths(around));
    }
    if (options.homes.includes(folder)) await builder.addHomeNames(folder);
    for (const repository of repositories) {
      const isOwn = repository.root === folder;
      await builder.addRepository(repository, folder, isOwn ? settings : undefined);
    }
  }
  for (const folder of options.others) {
    const repositories = await findRepositories(folder, { isDeep: false });
    for (const repository of repositories) await builder.addRepository(repository, folder);
  }
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

  constructor(writable: readonly string[]) {
    this.#writable = writable;
  }

  async addNames(folder: string, names: readonly string[]): Promise<void> {
    const files = names.map((name) => path.join(folder, name));
    await this.#refuseLinks(files);
    for (const file of files) this.#add(file);
  }

  /** In a home folder, git reads the file: a folder in its place would be an error of every git command. */
  async addHomeNames(home: string): Promise<void> {
    // Those that exist are hidden.
    await this.addNames(home, [...protectedHomeNames, ...hiddenHomeNames]);
    await this.#protect(path.join(home, '.gitconfig'), '');
  }

  /** `known`: the settings of the repository, where they were asked for before. */
  async addRepository(repository: FoundRepository, folder: string, known?: GitSettingPaths): Promise<void> {
    const { root, isLinked, gitDir, commonDir } = repository;
    if (root !== folder) await this.addNames(root, protectedNames);
    const entry = path.join(root, '.git');
    if (isLinked) await this.#protect(entry);
    else this.#pin(entry);
    if (isLinked && root === folder) await this.#openOutside(repository);
    await this.#protectGitDir(commonDir);
    if (gitDir !== commonDir) await this.#protectWorktree(gitDir);
    for (const each of await worktreeGitDirs(commonDir)) await this.#protectWorktree(each);
    for (const each of await submoduleGitDirs(commonDir)) await this.#protectGitDir(each);
    await this.addSettings(known ?? (await gitSettingPaths(repository)));
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
    };
  }

  async #protectGitDir(gitDir: string): Promise<void> {
    if (this.#writableAround(gitDir) === undefined) return;
    await this.#protect(path.join(gitDir, 'config'), '');
    await this.#protect(path.join(gitDir, 'hooks'));
    await this.#protect(path.join(gitDir, 'commondir'), '.\n');
    await this.#protect(path.join(gitDir, 'config.worktree'), '');
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

  #add(file: string, content?: '' | '.\n'): void {
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
    this.#mountPoints.set(
      file,
      content === undefined ? { kind: 'folder', path: file } : { kind: 'file', path: file, content },
    );
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

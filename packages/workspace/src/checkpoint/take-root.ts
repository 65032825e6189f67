import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import type { OmissionReason } from './checkpoint.ts';
import type { Git } from './git.ts';
import { importFiles } from './store/import-files.ts';
import { emptyTreeId } from './store/objects.ts';
import type { RootState } from './store/store.ts';
import { awaitNextTick, inspect, type Findings, type FoundFile } from './walk/inspect.ts';
import { RecentFiles } from './walk/recent.ts';
import type { CoverageRules } from './walk/rules.ts';
import { list, omittedByWalk, runOptions, walk, type Walk, type WalkRequest } from './walk/walk.ts';
import { toSystemPath, type BytePath } from './workspace-path.ts';

/** A folder with rules of its own, as a take found it. Paths are relative to it. */
export interface RootTake {
  readonly state: RootState;
  /** The last walk, which found no further difference. */
  readonly walk: Walk;
  /** The files that were read. */
  readonly present: ReadonlyMap<BytePath, FoundFile>;
  /** Files that the index had and has no more. */
  readonly absent: readonly BytePath[];
  /** Those of them that are there, and not covered any more. */
  readonly uncovered: readonly BytePath[];
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
}

/** What is taken, and how. */
export interface RootRequest {
  readonly git: Git;
  readonly gitDir: string;
  /** Absolute. */
  readonly folder: string;
  /** Relative to the workspace. */
  readonly path: BytePath;
  readonly rules: CoverageRules;
  /** What the last take left. */
  readonly earlier: RootState | undefined;
  /** Whether there is an earlier checkpoint of the workspace. */
  readonly hasEarlier: boolean;
  readonly maxFileBytes: number;
  readonly now: () => number;
  readonly changedSince?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How often files that change while they are read are read again. */
const mostRounds = 3;

/** Brings a copy of a folder's index up to date with the folder, and writes its tree. */
export async function takeRoot(request: RootRequest): Promise<RootTake> {
  return await new RootUpdate(request).run();
}

class RootUpdate {
  readonly #request: RootRequest;
  /** The index that is read; the copy that is written, once there is one. */
  #index: string;
  #isCopied = false;
  readonly #present = new Map<BytePath, FoundFile>();
  readonly #absent = new Set<BytePath>();
  readonly #uncovered = new Set<BytePath>();
  #forced: ReadonlySet<BytePath>;
  readonly #awaited: Set<BytePath>;
  readonly #recent: RecentFiles;
  #omitted: ReadonlyMap<BytePath, OmissionReason> = new Map();

  constructor(request: RootRequest) {
    this.#request = request;
    this.#index = request.earlier?.index ?? '';
    this.#forced = new Set(request.earlier?.forced);
    this.#awaited = new Set(request.earlier?.awaited);
    this.#recent = new RecentFiles(request.earlier?.recent);
  }

  async run(): Promise<RootTake> {
    const { rules, earlier } = this.#request;
    const fingerprint = await fingerprintOf(rules);
    let hasNewRules = earlier === undefined || earlier.rules !== fingerprint;
    const failed = new Set<BytePath>();
    for (let round = 1; ; round++) {
      const startedAt = this.#request.now();
      const { found, unseen } = await this.#walk();
      if (changesRules(found)) hasNewRules = true;
      const dropped = hasNewRules ? await this.#applyRules() : false;
      hasNewRules = false;
      const findings = await this.#inspect(found, failed);
      const isDone = round > mostRounds;
      const isChanged =
        !isDone && (await this.#apply(findings, { startedAt, unseen, isLast: round === mostRounds, failed }));
      if (isChanged || (dropped && !isDone)) continue;
      return { ...(await this.#result(fingerprint, startedAt)), walk: found };
    }
  }

  /** A walk, and files that git may take for unchanged though they are not. */
  async #walk(): Promise<{ readonly found: Walk; readonly unseen: ReadonlySet<BytePath> }> {
    const { git, folder, signal } = this.#request;
    const [found, unseen] = await Promise.all([
      walk(git, this.#walkRequest()),
      this.#recent.changed(folder, signal),
    ]);
    const stale = new Map([...[...unseen].map((name) => [name, false] as const), ...found.stale]);
    return { found: { ...found, stale }, unseen };
  }

  async #inspect(found: Walk, failed: ReadonlySet<BytePath>): Promise<Findings> {
    const { folder, maxFileBytes, changedSince, hasEarlier, signal } = this.#request;
    const reserved = found.untracked.filter(isReserved);
    const awaited = [...this.#awaited].filter((name) => !failed.has(name));
    const findings = await inspect({
      folder,
      stale: found.stale,
      untracked: [...found.untracked.filter((name) => !isReserved(name) && !failed.has(name)), ...awaited],
      maxFileBytes,
      changedSince,
      hasEarlier,
      signal,
    });
    const omitted = new Map(findings.omitted);
    for (const [name, why] of omittedByWalk(found)) omitted.set(name, why);
    for (const name of reserved) omitted.set(name, 'repository');
    for (const name of failed) omitted.set(name, 'unreadable');
    this.#omitted = omitted;
    return { ...findings, omitted };
  }

  /** Removes from the index what the rules ignore now, and finds what the user's index has though it is ignored. */
  async #applyRules(): Promise<boolean> {
    const { git, rules, folder, signal } = this.#request;
    const forced = new Set(await this.#trackedThoughIgnored());
    this.#forced = forced;
    this.#awaited.clear();
    for (const name of forced) this.#awaited.add(name);
    if (this.#index === '') return false;
    const options = runOptions(this.#walkRequest());
    const args = ['ls-files', '-z', '-c', '-i', ...rules.args];
    const ignored = (await list(git, args, { ...options, cwd: folder, signal })).filter(
      (name) => !forced.has(name),
    );
    if (ignored.length === 0) return false;
    await this.#remove(ignored);
    for (const name of ignored) {
      const isThere = await lstat(toSystemPath(folder, name)).then(
        () => true,
        () => false,
      );
      if (isThere) this.#uncovered.add(name);
    }
    return true;
  }

  async #trackedThoughIgnored(): Promise<readonly BytePath[]> {
    const { git, rules, folder, signal } = this.#request;
    if (rules.userGitDir === undefined) return [];
    // The user's repository is read with its own folder, for its index may refer to other files there. Nothing of it may start a program.
    const args = [
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'protocol.allow=never',
    ];
    return await list(git, [...args, 'ls-files', '-z', '-c', '-i', ...rules.args], {
      gitDir: rules.userGitDir,
      cwd: folder,
      workTree: rules.workTree,
      signal,
    }).catch((error: unknown) => {
      // An index that git cannot read names no files.
      if (error instanceof WorkspaceError && error.code === 'failed') return [];
      throw error;
    });
  }

  async #apply(findings: Findings, { startedAt, unseen, isLast, failed }: ApplyOptions): Promise<boolean> {
    const { present, absent } = findings;
    if (present.size === 0 && absent.length === 0) return false;
    if (absent.length > 0) await this.#remove(absent);
    for (const name of absent) {
      this.#present.delete(name);
      if (findings.omitted.has(name)) this.#uncovered.add(name);
    }
    if (present.size === 0) return true;
    await awaitNextTick(findings, this.#request);
    const names = [...present.keys()];
    try {
      await this.#forget(names.filter((name) => unseen.has(name)));
      if (names.length >= fewestForPack) await importFiles(this.#request.git, { ...this.#request, names });
      await this.#add(names);
    } catch (error) {
      if (!isRetriable(error)) throw error;
      // A file vanished or became unreadable in between: the next walk looks again, the last one finds which it is.
      if (!isLast) return true;
      for (const name of await this.#addOneByOne(names)) failed.add(name);
    }
    for (const [name, file] of present) {
      if (failed.has(name)) continue;
      this.#present.set(name, file);
      this.#recent.add(name, file, startedAt);
      this.#absent.delete(name);
      this.#awaited.delete(name);
    }
    return true;
  }

  async #add(names: readonly BytePath[]): Promise<void> {
    await this.#copyIndex();
    await this.#run(['update-index', '-z', '--add', '--replace', '--remove', '--stdin'], names);
  }

  /** Adds halves until the files that cannot be added are found; returns these. */
  async #addOneByOne(names: readonly BytePath[]): Promise<readonly BytePath[]> {
    try {
      await this.#add(names);
      return [];
    } catch (error) {
      if (!isRetriable(error)) throw error;
      if (names.length === 1) return names;
      const middle = Math.ceil(names.length / 2);
      return [
        ...(await this.#addOneByOne(names.slice(0, middle))),
        ...(await this.#addOneByOne(names.slice(middle))),
      ];
    }
  }

  async #remove(names: readonly BytePath[]): Promise<void> {
    await this.#forget(names);
    for (const name of names) {
      this.#absent.add(name);
      this.#present.delete(name);
      this.#recent.remove(name);
      if (this.#forced.has(name)) this.#awaited.add(name);
    }
  }

  async #forget(names: readonly BytePath[]): Promise<void> {
    if (names.length === 0) return;
    await this.#copyIndex();
    await this.#run(['update-index', '-z', '--force-remove', '--stdin'], names);
  }

  async #run(args: readonly string[], names: readonly BytePath[]): Promise<void> {
    const input = names.map((name) => `${name}\0`).join('');
    await this.#request.git.run(args, { ...runOptions(this.#walkRequest()), input });
  }

  /** The earlier index stays as it is until the checkpoint is stored. */
  async #copyIndex(): Promise<void> {
    if (this.#isCopied) return;
    const earlier = this.#index;
    this.#index = randomUUID();
    if (earlier !== '') {
      await copyFile(this.#indexFile(earlier), this.#indexFile(this.#index), constants.COPYFILE_FICLONE);
    }
    this.#isCopied = true;
  }

  #indexFile(name: string): string {
    return path.join(this.#request.gitDir, 'indexes', name === '' ? 'none' : name);
  }

  #walkRequest(): WalkRequest {
    const { folder, rules, gitDir, signal } = this.#request;
    return {
      folder,
      rules,
      gitDir,
      index: this.#indexFile(this.#index),
      hasIndex: this.#index !== '',
      signal,
    };
  }

  async #result(rules: string, unchangedAt: number): Promise<Omit<RootTake, 'walk'>> {
    const { path: name, earlier } = this.#request;
    const tree = this.#isCopied || earlier === undefined ? await this.#writeTree() : earlier.tree;
    const index = this.#index;
    return {
      state: {
        path: name,
        tree,
        rules,
        forced: [...this.#forced],
        awaited: [...this.#awaited],
        recent: this.#recent.list(unchangedAt),
        ...(index !== '' && { index }),
      },
      present: this.#present,
      absent: [...this.#absent],
      uncovered: [...this.#uncovered],
      omitted: this.#omitted,
    };
  }

  async #writeTree(): Promise<string> {
    if (this.#index === '') return emptyTreeId;
    const { git, folder, rules } = this.#request;
    const below = path.relative(rules.workTree, folder).split(path.sep).join('/');
    const options = runOptions(this.#walkRequest());
    const whole = (await git.run(['write-tree', '--missing-ok'], options)).trim();
    if (below === '') return whole;
    const found = await git.run(['rev-parse', '--verify', '--quiet', `${whole}:${below}`], {
      ...options,
      accept: [1, 128],
    });
    return found.trim() === '' ? emptyTreeId : found.trim();
  }
}

interface ApplyOptions {
  /** When the walk began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Files of the index that git may take for unchanged. */
  readonly unseen: ReadonlySet<BytePath>;
  readonly isLast: boolean;
  /** Files that could not be added, to be filled. */
  readonly failed: Set<BytePath>;
}

/** The fewest files whose content is stored as one pack. */
const fewestForPack = 200;

/** Names that git reserves: no index can hold them. */
function isReserved(name: BytePath): boolean {
  return /(?:^|\/)\.git(?:\/|$)/iu.test(name);
}

function changesRules({ stale, untracked }: Walk): boolean {
  for (const name of stale.keys()) if (isRuleFile(name)) return true;
  return untracked.some(isRuleFile);
}

function isRuleFile(name: BytePath): boolean {
  return name === '.gitignore' || name.endsWith('/.gitignore');
}

function isRetriable(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'failed';
}

/** The rules and the user's index: what covered files are decided by. */
async function fingerprintOf({ fingerprint, userGitDir }: CoverageRules): Promise<string> {
  if (userGitDir === undefined) return fingerprint;
  const stats = await lstat(path.join(userGitDir, 'index'), { bigint: true }).catch(() => undefined);
  if (stats === undefined) return fingerprint;
  const { ino, size, mtimeNs, ctimeNs } = stats;
  return [fingerprint, ino, size, mtimeNs, ctimeNs].join(':');
}

import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import type { OmissionReason } from './checkpoint.ts';
import { type Git, startsNothing } from './git.ts';
import { fewestForPack, storeMany } from './store/first-contents.ts';
import { isRetriable, RootIndex } from './store/root-index.ts';
import type { RootState } from './store/store.ts';
import { awaitNextTick, inspect, type Findings, type FoundFile } from './walk/inspect.ts';
import { pauses } from './walk/pauses.ts';
import { RecentFiles } from './walk/recent.ts';
import { RootWalk, type SeenRoot } from './walk/root-walk.ts';
import type { CoverageRules } from './walk/rules.ts';
import { isSettled } from './walk/scan.ts';
import { statOf } from './walk/stat.ts';
import { list, omittedByWalk, runOptions, type Walk, type WalkRequest } from './walk/walk.ts';
import { toSystemPath, type BytePath } from './workspace-path.ts';

/** A folder with its own ignore rules, as a take found it. Paths are relative to it. */
export interface RootTake {
  readonly state: RootState;
  /** The last walk, which found no further difference. */
  readonly walk: Walk;
  /** The file states that later takes compare with; absent if they are not reliable. */
  readonly seen?: SeenFiles;
  /** The folders that have files, where that is known. */
  readonly filledFolders?: ReadonlySet<BytePath>;
  /** The files that were read. */
  readonly present: ReadonlyMap<BytePath, FoundFile>;
  /** Files that the index had and has no more. */
  readonly absent: readonly BytePath[];
  /** Existing files that are no longer covered. */
  readonly uncovered: readonly BytePath[];
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
}

/** The file states that the last take saw in a root. */
export interface SeenFiles extends SeenRoot {
  /** Stat data of the files that the user's index has and ours does not. */
  readonly awaited: string;
}

/** Options of a take of one root. */
export interface RootRequest {
  readonly git: Git;
  readonly gitDir: string;
  /** Absolute. */
  readonly folder: string;
  /** Relative to the workspace. */
  readonly path: BytePath;
  readonly rules: CoverageRules;
  /** The state that the last take left. */
  readonly earlier: RootState | undefined;
  readonly seen: SeenFiles | undefined;
  /** Whether the workspace has an earlier checkpoint. */
  readonly hasEarlier: boolean;
  readonly maxFileBytes: number;
  readonly now: () => number;
  readonly changedSince?: (() => number | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How often a file that changes while it is read is read again. */
const mostRounds = 3;

/** Brings a copy of a folder's index up to date with the folder, and writes its tree. */
export class RootUpdate {
  readonly #request: RootRequest;
  readonly #walk: RootWalk;
  /** The first look, until it is used. */
  #look: Promise<FirstLook> | undefined;
  readonly #index: RootIndex;
  readonly #present = new Map<BytePath, FoundFile>();
  readonly #absent = new Set<BytePath>();
  readonly #uncovered = new Set<BytePath>();
  #forced: ReadonlySet<BytePath>;
  readonly #awaited: Set<BytePath>;
  readonly #recent: RecentFiles;
  /** Files that changed after the moment of the checkpoint and before they were read. */
  readonly #late = new Set<BytePath>();
  #omitted: ReadonlyMap<BytePath, OmissionReason> = new Map();

  constructor(request: RootRequest) {
    this.#request = request;
    this.#index = new RootIndex(request);
    this.#forced = new Set(request.earlier?.forced);
    this.#awaited = new Set(request.earlier?.awaited);
    this.#recent = new RecentFiles(request.earlier?.recent);
    const { git, now, seen, earlier, rules } = request;
    const hasSameRules = earlier?.rules.split(':')[0] === rules.fingerprint;
    this.#walk = new RootWalk(git, { now, seen: hasSameRules ? seen : undefined });
  }

  /** Checks the status of all files without reading them. If nothing differs, there is nothing to update. */
  async isUnchanged(): Promise<boolean> {
    this.#look = this.#lookFirst();
    const { hasNewRules } = await this.#look;
    const { awaited } = this.#request.seen ?? {};
    return !hasNewRules && this.#walk.isUnchanged && awaited === this.#awaitedStats();
  }

  async run(): Promise<RootTake> {
    const first = await (this.#look ?? this.#lookFirst());
    let { hasNewRules, startedAt } = first;
    const failed = new Set<BytePath>();
    for (let round = 1; ; round++) {
      if (round > 1) {
        startedAt = this.#request.now();
        await this.#walk.next(this.#walkRequest());
      }
      let { found, unseen } = await this.#found();
      if (this.#walk.hasNewRules || changesRules(found)) hasNewRules = true;
      const dropped = hasNewRules ? await this.#applyRules() : false;
      hasNewRules = false;
      // A file that changed and is ignored now must not be added again.
      if (dropped) ({ found, unseen } = await this.#found());
      const findings = await this.#inspect(found, failed);
      const isDone = round > mostRounds;
      const isChanged =
        !isDone && (await this.#apply(findings, { startedAt, unseen, isLast: round === mostRounds, failed }));
      if (isChanged || ((dropped || this.#walk.isUnlisted) && !isDone)) continue;
      return { ...(await this.#result(first.rules, startedAt)), ...this.#seen(found, failed), walk: found };
    }
  }

  async #lookFirst(): Promise<FirstLook> {
    const { rules, earlier, now } = this.#request;
    const fingerprint = await fingerprintOf(rules);
    const startedAt = now();
    await this.#walk.next(this.#walkRequest());
    return { rules: fingerprint, hasNewRules: earlier?.rules !== fingerprint, startedAt };
  }

  /** The differences that the walk found, and files that git may wrongly consider unchanged. */
  async #found(): Promise<{ readonly found: Walk; readonly unseen: ReadonlySet<BytePath> }> {
    const { folder, signal } = this.#request;
    const { found } = this.#walk;
    if (found === undefined) throw new WorkspaceError('failed', 'take a checkpoint: found no folder');
    const unseen = await this.#recent.changed(folder, signal);
    const stale = new Map([...[...unseen].map((name) => [name, false] as const), ...found.stale]);
    return { found: { ...found, stale }, unseen };
  }

  /** The file states for the next take, from which files that are never stored are left out. */
  #seen({ untracked }: Walk, failed: ReadonlySet<BytePath>): Pick<RootTake, 'seen' | 'filledFolders'> {
    const { seen, filledFolders } = this.#walk;
    const stored = [...this.#forced].filter((name) => !this.#awaited.has(name));
    if (filledFolders === undefined || failed.size > 0 || !this.#walk.hasAll(stored)) return {};
    const isOpen = [...untracked, ...this.#awaited].some((name) => {
      const why = this.#omitted.get(name);
      return why === 'late' || (why === undefined && !this.#awaited.has(name));
    });
    const awaited = this.#awaitedStats();
    return {
      filledFolders,
      ...(seen !== undefined && !isOpen && awaited !== undefined && { seen: { ...seen, awaited } }),
    };
  }

  /** Undefined where a later change could leave them as they are. */
  #awaitedStats(): string | undefined {
    const { folder, now } = this.#request;
    const stats = [...this.#awaited].toSorted().map((name) => statOf(toSystemPath(folder, name)));
    const moment = now();
    const isYoung = stats.some((found) => found !== undefined && !isSettled(Number(found.ctimeMs), moment));
    if (isYoung) return undefined;
    return stats
      .map((found) =>
        found === undefined
          ? ''
          : [found.mode, found.size, found.ino, found.mtimeNs, found.ctimeNs].join(' '),
      )
      .join();
  }

  async #inspect(found: Walk, failed: ReadonlySet<BytePath>): Promise<Findings> {
    const { folder, maxFileBytes, changedSince, hasEarlier, signal } = this.#request;
    const reserved = found.untracked.filter(isReserved);
    const isOpen = (name: BytePath): boolean => !failed.has(name) && !this.#late.has(name);
    const awaited = [...this.#awaited].filter(isOpen);
    const findings = await inspect({
      folder,
      stale: found.stale,
      untracked: [...found.untracked.filter((name) => !isReserved(name) && isOpen(name)), ...awaited],
      maxFileBytes,
      changedSince: changedSince?.(),
      hasEarlier,
      signal,
    });
    const omitted = new Map(findings.omitted);
    for (const [name, why] of omittedByWalk(found)) omitted.set(name, why);
    for (const name of reserved) omitted.set(name, 'repository');
    for (const name of failed) omitted.set(name, 'unreadable');
    for (const name of this.#late) omitted.set(name, 'late');
    this.#omitted = omitted;
    return { ...findings, omitted };
  }

  /** Removes newly ignored files from the index, and finds ignored files that are in the user's index. */
  async #applyRules(): Promise<boolean> {
    const { git, rules, folder, signal } = this.#request;
    const forced = new Set(await this.#trackedThoughIgnored());
    this.#forced = forced;
    this.#awaited.clear();
    for (const name of forced) this.#awaited.add(name);
    if (this.#index.isEmpty) return false;
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
    return await list(git, [...startsNothing, 'ls-files', '-z', '-c', '-i', ...rules.args], {
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
    const all = [...present.keys()];
    let names: readonly BytePath[] = all;
    try {
      await this.#index.remove(all.filter((name) => unseen.has(name)));
      if (all.length >= fewestForPack) {
        const remaining = await storeMany(this.#request, present, this.#index);
        names = remaining.names;
        for (const name of remaining.late) this.#late.add(name);
      }
      if (names.length > 0) await this.#index.add(names);
    } catch (error) {
      if (!isRetriable(error)) throw error;
      // A file vanished or became unreadable in between: the next walk looks again, the last one finds which it is.
      if (!isLast) return true;
      for (const name of await this.#index.addOneByOne(names)) failed.add(name);
    }
    const pause = pauses(this.#request.signal);
    for (const [name, file] of present) {
      await pause();
      if (failed.has(name) || this.#late.has(name)) continue;
      this.#walk.added(name);
      this.#present.set(name, file);
      this.#recent.add(name, file, startedAt);
      this.#absent.delete(name);
      this.#awaited.delete(name);
    }
    return true;
  }

  async #remove(names: readonly BytePath[]): Promise<void> {
    await this.#index.remove(names);
    this.#walk.removed(names);
    for (const name of names) {
      this.#absent.add(name);
      this.#present.delete(name);
      this.#recent.remove(name);
      if (this.#forced.has(name)) this.#awaited.add(name);
    }
  }

  #walkRequest(): WalkRequest {
    return { ...this.#request, ...this.#index.location };
  }

  async #result(rules: string, unchangedAt: number): Promise<Omit<RootTake, 'walk'>> {
    const { path: name } = this.#request;
    const tree = await this.#index.tree();
    const { name: index } = this.#index;
    return {
      state: {
        path: name,
        tree,
        rules,
        forced: [...this.#forced],
        awaited: [...this.#awaited],
        recent: this.#recent.list(unchangedAt),
        ...(index !== undefined && { index }),
      },
      present: this.#present,
      absent: [...this.#absent],
      uncovered: [...this.#uncovered],
      omitted: this.#omitted,
    };
  }
}

interface FirstLook {
  readonly startedAt: number;
  /** What covered files are decided by now, and whether that changed. */
  readonly rules: string;
  readonly hasNewRules: boolean;
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

/** The rules and the user's index: what covered files are decided by. */
async function fingerprintOf({ fingerprint, userGitDir }: CoverageRules): Promise<string> {
  if (userGitDir === undefined) return fingerprint;
  const stats = await lstat(path.join(userGitDir, 'index'), { bigint: true }).catch(() => undefined);
  if (stats === undefined) return fingerprint;
  const { ino, size, mtimeNs, ctimeNs } = stats;
  return [fingerprint, ino, size, mtimeNs, ctimeNs].join(':');
}

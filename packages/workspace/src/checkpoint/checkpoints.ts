import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkNotAborted, refusal, WorkspaceError } from '../error.ts';
import { takeLock } from '../log/lock.ts';
import type { Checkpoint, CheckpointFile, CheckpointFolder, FileChange, OmittedPath } from './checkpoint.ts';
import { compareContents } from './compare.ts';
import { readEntries, readFolders } from './entries.ts';
import { findFolder, findWorkspace } from './find-folder.ts';
import { type Git, openGit } from './git.ts';
import { SharedTakes } from './shared-takes.ts';
import { type CheckpointContent, expired, readContent, writeContent } from './store/content.ts';
import { includeFiles } from './store/include-files.ts';
import { maintainStore, removeOldStores, type StoreLimits } from './store/maintain.ts';
import { ObjectReader } from './store/object-reader.ts';
import { mostIncludedBytes } from './store/outgrown.ts';
import { readSeen, type SeenConditions, writeSeen } from './store/seen-file.ts';
import {
  isId,
  lockFile,
  lockStore,
  openStore,
  readCheckpoints,
  readState,
  removeStaleIndexes,
  seenFile,
  type StoreFolder,
  writeCheckpoints,
  writeState,
} from './store/store.ts';
import { takeCheckpoint, type Taken } from './take.ts';
import { findUserExcludes } from './walk/user-excludes.ts';
import { toBytePath, toWorkspacePath, type WorkspacePath } from './workspace-path.ts';

/** The checkpoints of one workspace. Several processes can open them. */
export interface Checkpoints extends AsyncDisposable {
  /**
   * Creates a checkpoint of the current files.
   *
   * @throws {WorkspaceError} `aborted`, `no-space`, or `failed`: there is no new checkpoint, and the earlier ones are
   * unchanged.
   */
  take(options?: TakeOptions): Promise<Checkpoint>;
  /** Compares two checkpoints by path. @throws {WorkspaceError} `expired` */
  compare(
    before: string,
    after: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly FileChange[]>;
  /** Returns the files of a checkpoint, or those at and below some paths. @throws {WorkspaceError} `expired` */
  entries(id: string, paths?: readonly WorkspacePath[]): Promise<readonly CheckpointFile[]>;
  /** Returns all folders, except ignored ones, with their permission bits. @throws {WorkspaceError} `expired` */
  folders(id: string): Promise<readonly CheckpointFolder[]>;
  /** Returns the paths that the checkpoint does not contain. @throws {WorkspaceError} `expired` */
  omitted(id: string): Promise<readonly OmittedPath[]>;
  /** Returns the content of a file, or the target of a link. @throws {WorkspaceError} `expired` */
  read(blob: string): Promise<Buffer>;
  /** Returns the ids of the checkpoints that can be read. */
  stored(): Promise<ReadonlySet<string>>;
  /** The size of the largest file that {@link TakeOptions.including} may name. */
  readonly mostIncludedBytes: number;
}

/** The workspace of the checkpoints, and where they are stored. */
export interface CheckpointsOptions {
  /** Absolute. */
  readonly workspace: string;
  /** Parley's state folder. Omitted from checkpoints if it is inside the workspace. */
  readonly stateDir: string;
  readonly limits?: CheckpointLimits;
  /** Milliseconds since 1970. @default the system's clock */
  readonly now?: () => number;
}

/** Limits for stored checkpoints. */
export interface CheckpointLimits {
  /** A larger file is omitted. @default 10 MiB */
  readonly maxFileBytes?: number;
  /** Total size for a workspace; the oldest checkpoints are removed first. @default 2 GiB */
  readonly maxBytes?: number;
  /** How long a checkpoint is stored. @default 30 days */
  readonly maxAgeMs?: number;
}

/** Options of `take`. */
export interface TakeOptions {
  /** Aborting stops without a new checkpoint. */
  readonly signal?: AbortSignal;
  /**
   * The moment of the checkpoint, in milliseconds since 1970, which may come while it is taken: undefined until then. Files that changed
   * later have the content that was read before, or that of the previous checkpoint, or omitted as `late`. @default the end of the take
   */
  readonly changedSince?: (() => number | undefined) | undefined;
  /**
   * Paths that the checkpoint has regardless of their size and of ignore rules: those that a restore replaces. Larger ones than
   * {@link Checkpoints.mostIncludedBytes} are refused.
   */
  readonly including?: readonly WorkspacePath[];
}

/** Size of a file in a checkpoint, unless the settings set another limit. */
const defaultMaxFileBytes = 10 * 1024 * 1024;
/** Total size of the checkpoints of a workspace, unless the settings set another limit. */
const defaultMaxBytes = 2 * 1024 ** 3;
/** Age of a checkpoint before it is removed. */
const defaultMaxAgeMs = 30 * 24 * 3_600_000;

/**
 * Opens the checkpoints of a workspace; the first take creates the store. Those of a removed workspace can be read.
 *
 * @throws {WorkspaceError} `no-git`, `not-found`, `not-a-directory`
 */
export async function openCheckpoints(options: CheckpointsOptions): Promise<Checkpoints> {
  const stateDir = path.resolve(options.stateDir);
  const workspace = await findWorkspace(options.workspace, stateDir);
  const git = await openGit(workspace, path.join(stateDir, 'checkpoints', 'no-settings'));
  const store = await openStore(workspace, stateDir);
  const memory = path.join(store.folder, 'excludes.json');
  const now = options.now ?? Date.now;
  const userExcludes = await findUserExcludes(git, { workspace, memory, now: now() });
  return new StoredCheckpoints({
    git,
    store,
    workspace,
    stateDir: await realpath(stateDir),
    userExcludes,
    maxFileBytes: options.limits?.maxFileBytes ?? defaultMaxFileBytes,
    limits: {
      maxBytes: options.limits?.maxBytes ?? defaultMaxBytes,
      maxAgeMs: options.limits?.maxAgeMs ?? defaultMaxAgeMs,
    },
    now,
  });
}

interface OpenedStore {
  readonly git: Git;
  readonly store: StoreFolder;
  readonly workspace: string;
  readonly stateDir: string;
  readonly userExcludes: string;
  readonly maxFileBytes: number;
  readonly limits: StoreLimits;
  readonly now: () => number;
}

type Request = Pick<TakeOptions, 'including'> & {
  readonly signal?: AbortSignal | undefined;
  readonly changedSince?: (() => number | undefined) | undefined;
};

class StoredCheckpoints implements Checkpoints {
  readonly #opened: OpenedStore;
  readonly #reader: ObjectReader;
  readonly #takes = new SharedTakes((signal) => this.#take({ signal }));
  /** Takes with a moment that may come while they run. */
  readonly #datedTakes = new SharedTakes((signal, changedSince) => this.#take({ signal, changedSince }));
  /** The last checkpoint of this process and the file states it saw, until they are stored. */
  #taken: Taken | undefined;
  #unstored: Taken | undefined;
  #maintenanceTimer: NodeJS.Timeout | undefined;
  #maintenance: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  constructor(opened: OpenedStore) {
    this.#opened = opened;
    this.#reader = new ObjectReader(opened.git, opened.store.gitDir);
  }

  get mostIncludedBytes(): number {
    const { maxFileBytes, limits } = this.#opened;
    return Math.max(maxFileBytes, Math.min(mostIncludedBytes, limits.maxBytes));
  }

  async take({ signal, changedSince, including = [] }: TakeOptions = {}): Promise<Checkpoint> {
    const isShared = including.length === 0 && changedSince?.() === undefined;
    if (!isShared) return await this.#take({ signal, changedSince, including });
    return changedSince === undefined
      ? await this.#takes.request(signal)
      : await this.#datedTakes.request(signal, changedSince);
  }

  async #take({ signal, changedSince, including = [] }: Request): Promise<Checkpoint> {
    const { store, workspace } = this.#opened;
    if ((await findFolder(workspace)) !== workspace) {
      throw refusal('take a checkpoint of', workspace, 'changed', 'it was replaced by a link');
    }
    await this.#endMaintenance();
    const lock = await lockStore(store, signal);
    try {
      const earlier = await this.#earlier();
      await removeStaleIndexes(store, earlier?.state);
      const taken = await takeCheckpoint({ ...this.#opened, earlier, changedSince, signal });
      checkNotAborted(signal, 'take a checkpoint');
      const takenAt = this.#opened.now();
      await this.#record(taken.state.checkpoint, takenAt);
      if (taken !== earlier) {
        await writeState(store, taken.state);
        this.#unstored = taken.seen === undefined ? undefined : taken;
      }
      this.#taken = taken;
      const { content, id } = await this.#include(including, taken, signal);
      if (id !== taken.state.checkpoint) await this.#record(id, takenAt);
      return { id, takenAt, omitted: toOmittedPaths(content) };
    } catch (error) {
      if (signal?.aborted === true && !(error instanceof WorkspaceError && error.code === 'aborted')) {
        throw new WorkspaceError('aborted', 'take a checkpoint: aborted', { cause: error });
      }
      throw error;
    } finally {
      await lock.release();
      this.#maintainLater();
    }
  }

  async compare(
    before: string,
    after: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly FileChange[]> {
    const { git, store } = this.#opened;
    const contents = { before: await this.#content(before), after: await this.#content(after) };
    if (before === after) return [];
    return await compareContents({ git, gitDir: store.gitDir, reader: this.#reader, signal }, contents);
  }

  async entries(id: string, paths?: readonly WorkspacePath[]): Promise<readonly CheckpointFile[]> {
    const { git, store } = this.#opened;
    const content = await this.#content(id);
    return await readEntries({ git, gitDir: store.gitDir }, content, paths?.map(toBytePath));
  }

  async folders(id: string): Promise<readonly CheckpointFolder[]> {
    const { git, store } = this.#opened;
    return await readFolders({ git, gitDir: store.gitDir }, await this.#content(id));
  }

  async omitted(id: string): Promise<readonly OmittedPath[]> {
    return toOmittedPaths(await this.#content(id));
  }

  async read(blob: string): Promise<Buffer> {
    const content = isId(blob) ? await this.#reader.read(blob) : undefined;
    if (content === undefined) throw expired(blob);
    return content;
  }

  async stored(): Promise<ReadonlySet<string>> {
    return new Set((await readCheckpoints(this.#opened.store)).map(({ id }) => id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#takes.idle(), this.#datedTakes.idle()]);
    await this.#endMaintenance();
    await this.#storeSeen();
    await this.#reader[Symbol.asyncDispose]();
  }

  /** A checkpoint with files that are otherwise not covered. The next checkpoint builds on the one without them. */
  async #include(
    including: readonly WorkspacePath[],
    { content, state }: Taken,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly content: CheckpointContent; readonly id: string }> {
    const { git, store, workspace } = this.#opened;
    const names = including.map(toBytePath);
    const options = {
      git,
      gitDir: store.gitDir,
      workspace,
      names,
      mostBytes: this.mostIncludedBytes,
      signal,
    };
    const whole = names.length === 0 ? content : await includeFiles(content, options);
    if (whole === content) return { content, id: state.checkpoint };
    return { content: whole, id: await writeContent(store.gitDir, whole) };
  }

  /**
   * Stores the file states that the last checkpoint saw, for other processes. Not after each checkpoint, because they
   * are large in large workspaces.
   */
  async #storeSeen(): Promise<void> {
    const taken = this.#unstored;
    this.#unstored = undefined;
    if (taken?.seen === undefined) return;
    const { store } = this.#opened;
    try {
      const lock = await takeLock(lockFile(store));
      if (!lock.isTaken) return;
      try {
        if (!isDeepStrictEqual(await readState(store), taken.state)) return;
        const name = crypto.randomUUID();
        const { content, seen: roots } = taken;
        await writeSeen(seenFile(store, name), { content, roots }, this.#conditions);
        const state = { ...taken.state, seen: name };
        await writeState(store, state);
        this.#taken = { ...taken, state };
      } finally {
        await lock.release();
      }
    } catch {
      // A disk that is full, for example: the next process reads more.
    }
  }

  /** Runs maintenance in the background, when no checkpoint was taken for a while. */
  #maintainLater(): void {
    clearTimeout(this.#maintenanceTimer);
    this.#maintenanceTimer = setTimeout(() => {
      const controller = new AbortController();
      this.#maintenance = { controller, done: this.#maintain(controller.signal) };
    }, maintainAfterMs);
    this.#maintenanceTimer.unref();
  }

  async #maintain(signal: AbortSignal): Promise<void> {
    const { stateDir, limits } = this.#opened;
    const now = this.#opened.now();
    await this.#storeSeen();
    try {
      await maintainStore({ ...this.#opened, now, signal });
      await removeOldStores(stateDir, { maxAgeMs: limits.maxAgeMs, now });
    } catch {
      // A disk that is full, for example: the next take says so, and the next maintenance tries again.
    }
  }

  async #endMaintenance(): Promise<void> {
    clearTimeout(this.#maintenanceTimer);
    this.#maintenance?.controller.abort();
    await this.#maintenance?.done;
    this.#maintenance = undefined;
  }

  /**
   * The result of the last checkpoint of any process; undefined if it cannot be read: all files are then read again.
   */
  async #earlier(): Promise<Taken | undefined> {
    const state = await readState(this.#opened.store);
    if (state === undefined) return undefined;
    if (isDeepStrictEqual(state, this.#taken?.state)) return this.#taken;
    const { store } = this.#opened;
    const seen =
      state.seen === undefined ? undefined : await readSeen(seenFile(store, state.seen), this.#conditions);
    if (seen !== undefined) return { state, content: seen.content, seen: seen.roots };
    const content = await readContent(this.#reader, state.checkpoint).catch((error: unknown) => {
      // Dropped, or damaged by a power cut.
      if (error instanceof WorkspaceError) return undefined;
      throw error;
    });
    return content === undefined ? undefined : { state, content };
  }

  get #conditions(): SeenConditions {
    return { maxFileBytes: this.#opened.maxFileBytes, now: this.#opened.now() };
  }

  async #content(id: string): Promise<CheckpointContent> {
    if (!(await this.stored()).has(id)) throw expired(id);
    return await readContent(this.#reader, id);
  }

  /** Records the checkpoint before anything refers to it. */
  async #record(id: string, takenAt: number): Promise<void> {
    const { store } = this.#opened;
    const known = await readCheckpoints(store);
    const last = known.at(-1);
    if (last?.id === id && takenAt - last.takenAt < renewAfterMs && takenAt >= last.takenAt) {
      return;
    }
    const others = known.filter((checkpoint) => checkpoint.id !== id);
    await writeCheckpoints(store, [...others, { id, takenAt }]);
  }
}

/** Idle time after a checkpoint before the store is maintained. */
const maintainAfterMs = 5000;

/** Interval at which the time of an unchanged checkpoint is updated. */
const renewAfterMs = 3_600_000;

function toOmittedPaths({ omitted }: CheckpointContent): readonly OmittedPath[] {
  return [...omitted].map(([name, why]) => ({ path: toWorkspacePath(name), why }));
}

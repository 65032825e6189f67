import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkNotAborted, refusal, toWorkspaceError, WorkspaceError } from '../error.ts';
import type { Checkpoint, CheckpointFile, CheckpointFolder, FileChange, OmittedPath } from './checkpoint.ts';
import { compareContents } from './compare.ts';
import { readEntries, readFolders } from './entries.ts';
import { type Git, openGit } from './git.ts';
import { type CheckpointContent, expired, readContent } from './store/content.ts';
import { maintainStore, removeOldStores, type StoreLimits } from './store/maintain.ts';
import { ObjectReader } from './store/object-reader.ts';
import {
  isId,
  lockStore,
  openStore,
  readCheckpoints,
  readState,
  removeStaleIndexes,
  type StoreFolder,
  writeCheckpoints,
  writeState,
} from './store/store.ts';
import { takeCheckpoint, type Taken } from './take.ts';
import { findUserExcludes } from './walk/rules.ts';
import { toBytePath, toWorkspacePath, type WorkspacePath } from './workspace-path.ts';

/** The checkpoints of one workspace. Several processes may have them open. */
export interface Checkpoints extends AsyncDisposable {
  /**
   * Stores the files of the workspace as they are now.
   *
   * @throws {WorkspaceError} `aborted`, `no-space`, or `failed`: there is no new checkpoint, and the earlier ones are as they were.
   */
  take(options?: TakeOptions): Promise<Checkpoint>;
  /** What differs between two checkpoints, by path. @throws {WorkspaceError} `expired` */
  compare(
    before: string,
    after: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly FileChange[]>;
  /** The files of a checkpoint, or those at and below these paths. @throws {WorkspaceError} `expired` */
  entries(id: string, paths?: readonly WorkspacePath[]): Promise<readonly CheckpointFile[]>;
  /** All folders, less ignored ones, with their permission bits. @throws {WorkspaceError} `expired` */
  folders(id: string): Promise<readonly CheckpointFolder[]>;
  /** What the checkpoint does not hold. @throws {WorkspaceError} `expired` */
  omitted(id: string): Promise<readonly OmittedPath[]>;
  /** The content of a file, or the target of a link. @throws {WorkspaceError} `expired` */
  read(blob: string): Promise<Buffer>;
}

/** What checkpoints are of, and where they are stored. */
export interface CheckpointsOptions {
  /** Absolute. */
  readonly workspace: string;
  /** Parley's state folder. It is left out of the checkpoints where it is inside the workspace. */
  readonly stateDir: string;
  readonly limits?: CheckpointLimits;
  /** Milliseconds since 1970. @default the system's clock */
  readonly now?: () => number;
}

/** How much is stored. */
export interface CheckpointLimits {
  /** A larger file is left out. @default 10 MiB */
  readonly maxFileBytes?: number;
  /** How much is stored for a workspace; the oldest checkpoints are dropped first. @default 2 GiB */
  readonly maxBytes?: number;
  /** How long a checkpoint is stored. @default 30 days */
  readonly maxAgeMs?: number;
}

/** How a checkpoint is taken. */
export interface TakeOptions {
  /** Aborting ends the take; there is no new checkpoint then. */
  readonly signal?: AbortSignal;
  /**
   * The moment that the checkpoint is for, in milliseconds since 1970: what changed later is taken from the checkpoint before, or left out
   * as `late` where there is none. @default the end of the take
   */
  readonly changedSince?: number;
}

const defaultMaxFileBytes = 10 * 1024 * 1024;
const defaultMaxBytes = 2 * 1024 ** 3;
const defaultMaxAgeMs = 30 * 24 * 3_600_000;

/**
 * Opens the checkpoints of a workspace; the first take makes the store's content.
 *
 * @throws {WorkspaceError} `no-git`, `not-found`, `not-a-directory`
 */
export async function openCheckpoints(options: CheckpointsOptions): Promise<Checkpoints> {
  const workspace = await openFolder(options.workspace);
  const stateDir = path.resolve(options.stateDir);
  const git = await openGit(workspace, path.join(stateDir, 'checkpoints', 'no-settings'));
  const store = await openStore(workspace, stateDir);
  const userExcludes = await findUserExcludes(git, workspace);
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
    now: options.now ?? Date.now,
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

class StoredCheckpoints implements Checkpoints {
  readonly #opened: OpenedStore;
  readonly #reader: ObjectReader;
  /** What this process took last. */
  #taken: Taken | undefined;
  #maintenanceTimer: NodeJS.Timeout | undefined;
  #maintenance: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  constructor(opened: OpenedStore) {
    this.#opened = opened;
    this.#reader = new ObjectReader(opened.git, opened.store.gitDir);
  }

  async take({ signal, changedSince }: TakeOptions = {}): Promise<Checkpoint> {
    const { store, workspace } = this.#opened;
    if ((await openFolder(workspace)) !== workspace) {
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
      await this.#record(taken, takenAt);
      if (JSON.stringify(taken.state) !== JSON.stringify(earlier?.state)) {
        await writeState(store, taken.state);
      }
      this.#taken = taken;
      return { id: taken.state.checkpoint, takenAt, omitted: toOmittedPaths(taken.content) };
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endMaintenance();
    await this.#reader[Symbol.asyncDispose]();
  }

  /** In the background, when no take came for a while. */
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

  /** What the last take of any process left; nothing when it cannot be read, and all files are read again. */
  async #earlier(): Promise<Taken | undefined> {
    const state = await readState(this.#opened.store);
    if (state === undefined) return undefined;
    if (state.checkpoint === this.#taken?.state.checkpoint) return { ...this.#taken, state };
    const content = await readContent(this.#reader, state.checkpoint).catch((error: unknown) => {
      // Dropped, or damaged by a power cut.
      if (error instanceof WorkspaceError) return undefined;
      throw error;
    });
    return content === undefined ? undefined : { state, content };
  }

  async #content(id: string): Promise<CheckpointContent> {
    const known = await readCheckpoints(this.#opened.store);
    if (!known.some((checkpoint) => checkpoint.id === id)) throw expired(id);
    return await readContent(this.#reader, id);
  }

  /** Notes the checkpoint before the state refers to it. */
  async #record({ state }: Taken, takenAt: number): Promise<void> {
    const { store } = this.#opened;
    const known = await readCheckpoints(store);
    const last = known.at(-1);
    if (last?.id === state.checkpoint && takenAt - last.takenAt < renewAfterMs && takenAt >= last.takenAt) {
      return;
    }
    const others = known.filter(({ id }) => id !== state.checkpoint);
    await writeCheckpoints(store, [...others, { id: state.checkpoint, takenAt }]);
  }
}

/** How long the store rests after a take before it is maintained. */
const maintainAfterMs = 5000;

/** How long the note of an unchanged checkpoint keeps its time. */
const renewAfterMs = 3_600_000;

function toOmittedPaths({ omitted }: CheckpointContent): readonly OmittedPath[] {
  return [...omitted].map(([name, why]) => ({ path: toWorkspacePath(name), why }));
}

async function openFolder(folder: string): Promise<string> {
  const action = 'take checkpoints of';
  if (!path.isAbsolute(folder)) throw refusal(action, folder, 'not-absolute', 'not an absolute path');
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw toWorkspaceError(error, action, folder);
  }
  throw refusal(action, folder, 'not-a-directory', 'is not a directory');
}

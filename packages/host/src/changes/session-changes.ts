import { randomUUID } from 'node:crypto';
import { WorkspaceError } from '@parley/workspace';
import {
  applyRestore,
  commitChanges,
  diffFiles,
  formatPatch,
  isInCheckout,
  leaveOutHunks,
  planRestore,
  planRevert,
  readDisk,
  withContents,
  type FileChange,
  type RestoreConflict,
  type RestorePlan,
} from '@parley/workspace/checkpoint';
import type { ChangedPath, OmittedFile } from '../event/changes-event.ts';
import type { Sender } from '../event/sender.ts';
import { HostError } from '../host-error.ts';
import type {
  ChangedContent,
  ChangesDiff,
  ChangesList,
  CommitParams,
  CommitResult,
  ContentParams,
  DiffParams,
  HunksParams,
  HunksResult,
  RedoParams,
  RestoreResult,
  UnavailableTurn,
  UndoParams,
} from '../hub/session-changes.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';
import { ChangesLog, type ChangesLogOptions } from './changes-log.ts';
import { listedFiles, mostContentBytes, mostListedFiles, type ChangesSettings } from './changes-settings.ts';
import { changesToCommit } from './changes-to-commit.ts';
import {
  chooseTurn,
  isChosen,
  marksIn,
  nothingChosen,
  nothingToCommit,
  nothingToUndo,
  skippedTurns,
} from './choose-undo.ts';
import { findHunks } from './find-hunks.ts';
import type { WrittenEvent } from './finish-restore.ts';
import { listChanges } from './list-changes.ts';
import { omittedChanges } from './omitted-changes.ts';
import { openCover, type Cover } from './open-cover.ts';
import { readChanges } from './read-changes.ts';
import { recoverChanges } from './recover-changes.ts';
import { chosenChanges, undoableChanges, writtenBy } from './session-diff.ts';
import { toDiff } from './to-diff.ts';
import { foldersBefore, madeFolders } from './turn-folders.ts';
import { checkAvailable, isStored, unavailableTurns } from './unavailable-turns.ts';

/** The session of the changes, and its settings. */
export interface SessionChangesOptions extends ChangesLogOptions {
  /** Returns the settings for the session's folder; undefined if recording is disabled. */
  readonly settingsIn: (cwd: string) => ChangesSettings | undefined | Promise<ChangesSettings | undefined>;
  /** Returns the session's folder on this machine. @default the one in which it began */
  readonly folder?: () => string | undefined;
  /**
   * Receives a message about each restore of a killed process that was completed or rolled back. @default only the
   * event log contains it
   */
  readonly onFinished?: (message: string) => void;
}

/** A diff as a patch. */
export interface ChangesPatch {
  readonly patch: Uint8Array;
  /** Changed files that are not in it, because no checkpoint has their contents, such as large ones. */
  readonly omitted: readonly OmittedFile[];
  /** The turns that are not in it, because their checkpoints are not stored here. */
  readonly unavailable: readonly UnavailableTurn[];
}

type Params<T> = Omit<T, 'sessionId'>;

/** The changes of a stored session, regardless of its owner: list, undo, review, commit. */
export class SessionChanges {
  readonly #options: SessionChangesOptions;
  readonly #log: ChangesLog;

  constructor(options: SessionChangesOptions) {
    this.#options = options;
    this.#log = new ChangesLog(options);
  }

  /** Settles when this process does not hold the lease of the session. */
  settled(): Promise<void> {
    return this.#log.settled();
  }

  /** Whether what was done here waits for the session's owner, until that is asked for the list. */
  get waitsForOwner(): boolean {
    return this.#log.waits;
  }

  /** What other processes did with the changes is an event of the session from then on. @throws {HostError} `no-checkpoint` */
  async list(): Promise<ChangesList> {
    return this.#reading(async (cover, state) => {
      // What cannot be stored now waits, and is listed all the same.
      await this.#log.deliver(cover.pending).catch(() => undefined);
      const unavailable = await unavailableTurns(state, cover);
      return listChanges({ sessionId: this.#options.key(), workspace: cover.workspace, unavailable }, state);
    });
  }

  /** @throws {HostError} `nothing-to-undo`: the turn does not exist; `no-checkpoint` */
  async diff(params: Params<DiffParams>): Promise<ChangesDiff> {
    return this.#reading(async (cover, state) => {
      const contents = withContents((blob) => cover.checkpoints.read(blob));
      const changes = await chosenChanges(params, { cover, state, contents });
      return toDiff(await diffFiles(changes, contents), {
        changes,
        state,
        turn: params.turn,
        unreviewed: params.unreviewed === true,
        unavailable: await unavailableTurns(state, cover),
        isInRepository: await isInCheckout(cover.workspace),
      });
    });
  }

  /** The diff as a patch for `git apply`, and the turns that are not in it. */
  async patch(params: Params<DiffParams>): Promise<ChangesPatch> {
    return this.#reading(async (cover, state) => {
      const contents = withContents((blob) => cover.checkpoints.read(blob));
      const changes = await chosenChanges(params, { cover, state, contents });
      const reviewed = new Set(params.unreviewed === true ? state.kept : []);
      return {
        patch: await formatPatch(await leaveOutHunks(changes, reviewed, contents), {
          ...contents,
          workspace: cover.workspace,
        }),
        omitted: await omittedChanges(params, state, cover.checkpoints),
        unavailable: params.turn === undefined ? await unavailableTurns(state, cover) : [],
      };
    });
  }

  /** Returns one side of a changed file, up to a limit. */
  async content({ path, side, turn }: Params<ContentParams>): Promise<ChangedContent> {
    return this.#reading(async (cover, state) => {
      const contents = withContents((blob) => cover.checkpoints.read(blob));
      const which = { ...(turn !== undefined && { turn }) };
      const changes = await chosenChanges(which, { cover, state, contents });
      const entry = changes.find((change) => pathKey(change.path) === pathKey(path))?.[side];
      if (entry === undefined) throw nothingToUndo('the file has no such content');
      const bytes = await contents.read(entry.blob);
      if (bytes.length > mostContentBytes) return { size: bytes.length };
      return { base64: Buffer.from(bytes).toString('base64'), size: bytes.length };
    });
  }

  /** @throws {HostError} `nothing-to-undo`, `turn-running`, `no-checkpoint` */
  async undo(params: Params<UndoParams>, from?: Sender): Promise<RestoreResult> {
    return this.#restoring(async (cover, state) => {
      const turn = chooseTurn(state, params);
      await checkAvailable(turn, cover);
      const markOf = marksIn(turn);
      const changes = await undoableChanges(turn, cover.checkpoints);
      const chosen = changes.filter((change) => isChosen(change, markOf(change), params));
      const left = changes.filter((change) => !chosen.includes(change));
      const unreported = left
        .filter((change) => !markOf(change).isReported && !markOf(change).isUndone)
        .map(({ path }) => path);
      if (chosen.length === 0) throw nothingChosen(turn.turn, { changes, paths: params.paths, unreported });
      const isWhole = left.length === 0 || chosen.length > mostListedFiles;
      const isAll = params.paths !== undefined || left.every((change) => markOf(change).isUndone);
      const restored = await this.#restore(cover, params, {
        changes: chosen,
        folders: turn.before,
        ...(isAll && {
          addedFolders: await madeFolders({ ...turn, changes }, cover.checkpoints, params.paths),
        }),
        toEvent: (written) => ({
          type: 'changes-undone',
          ...written,
          ...(from !== undefined && { from }),
          turn: turn.turn,
          ...(!isWhole && { paths: chosen.map(({ path }) => path) }),
        }),
      });
      return { undone: turn.turn, ...restored, unreported, ...skippedTurns(params, state, turn) };
    });
  }

  /** @throws {HostError} `nothing-to-undo`: nothing was undone; `turn-running`, `no-checkpoint` */
  async redo(params: Params<RedoParams>, from?: Sender): Promise<RestoreResult> {
    return this.#restoring(async (cover, state) => {
      const last = state.undos.at(-1);
      if (last === undefined) throw new HostError('nothing-to-undo', 'nothing to redo: nothing was undone');
      if (!isStored(last, await cover.checkpoints.stored())) {
        throw new WorkspaceError(
          'expired',
          'the last undo cannot be redone here: its checkpoints are not stored',
        );
      }
      const changes = await writtenBy(last, cover.checkpoints);
      const { before, after } = last;
      const restored = await this.#restore(cover, params, {
        changes,
        folders: before,
        removedFolders: await madeFolders({ before: after, after: before, changes }, cover.checkpoints),
        toEvent: (written) => ({
          type: 'changes-redone',
          ...written,
          ...(from !== undefined && { from }),
          undo: last.id,
        }),
      });
      return { ...(last.turn !== undefined && { undone: last.turn }), ...restored, unreported: [] };
    });
  }

  /** Marks hunks as reviewed. @throws {HostError} `nothing-to-undo`: the hunk does not exist; `no-checkpoint` */
  async keep({ hunks }: Params<HunksParams>, from?: Sender): Promise<HunksResult> {
    return this.#reading(async (cover, state) => {
      const { files } = await findHunks(hunks, cover, state);
      await this.#log.record(cover.pending, {
        type: 'hunks-kept',
        id: randomUUID(),
        ...(from !== undefined && { from }),
        hunks,
      });
      return { files, conflicts: [] };
    });
  }

  /** Removes hunks from the files. @throws {HostError} Like `keep`, and `turn-running`. */
  async revert({ hunks }: Params<HunksParams>, from?: Sender): Promise<HunksResult> {
    return this.#restoring(async (cover, state) => {
      const { files, changes, contents } = await findHunks(hunks, cover, state);
      const current = await readDisk({ workspace: cover.workspace, changes });
      const folderBefore = await foldersBefore(state, cover.checkpoints);
      const plan = await planRevert({
        changes,
        ids: hunks,
        current,
        read: contents.read,
        folderBefore,
        mostReplacedBytes: cover.checkpoints.mostIncludedBytes,
      });
      const conflicts = plan.conflicts.map(toConflict);
      if (conflicts.length > 0) return { files: [], conflicts };
      if (plan.files.length === 0) throw nothingToUndo('the files are without these hunks already');
      await this.#apply(cover, plan, (written) => ({
        type: 'hunks-reverted',
        ...written,
        ...(from !== undefined && { from }),
        hunks,
      }));
      return { files, conflicts: [] };
    });
  }

  /**
   * Commits the changes of the session that were not undone or reverted.
   *
   * @throws {HostError} `nothing-to-undo`, `turn-running`
   */
  async commit({ message }: Params<CommitParams>, from?: Sender): Promise<CommitResult> {
    return this.#restoring(async (cover, state) => {
      const contents = withContents((blob) => cover.checkpoints.read(blob));
      const { checkpoints, workspace } = cover;
      const { changes, conflicts, unreported } = await changesToCommit(state, checkpoints, contents);
      const missing = await unavailableTurns(state, cover);
      const omitted = await omittedChanges({}, state, checkpoints);
      const leftOut = { unreported, omitted, ...(missing.length > 0 && { unavailable: missing }) };
      if (changes.length === 0) throw nothingToCommit(leftOut);
      if (conflicts.length > 0) {
        return { files: [], conflicts: conflicts.map((path) => ({ path })), ...leftOut };
      }
      const done = await commitChanges({ workspace, changes, read: contents.read, message });
      if (done.state === 'conflicts') {
        return { files: [], conflicts: done.conflicts.map(({ path }) => ({ path })), ...leftOut };
      }
      const { files: paths } = done;
      await this.#log.record(cover.pending, {
        type: 'changes-committed',
        id: randomUUID(),
        ...(from !== undefined && { from }),
        commit: done.commit,
        paths: paths.slice(0, mostListedFiles),
      });
      return {
        commit: done.commit,
        files: paths.map((path) => ({ path })),
        conflicts: [],
        ...leftOut,
        omitted: [...omitted, ...done.nested.map((path) => ({ path, why: 'repository' as const }))],
      };
    });
  }

  async #restore(
    cover: Cover,
    { dryRun = false, force = false }: Params<RedoParams>,
    { changes, folders, addedFolders = [], removedFolders = [], toEvent }: Restore,
  ): Promise<Pick<RestoreResult, 'files' | 'conflicts'>> {
    const { workspace, checkpoints } = cover;
    const bits = new Map(
      (await checkpoints.folders(folders)).map((each) => [pathKey(each.path), each.permissions]),
    );
    const plan = await planRestore({
      changes,
      current: await readDisk({ workspace, changes }),
      read: (blob) => checkpoints.read(blob),
      force,
      addedFolders,
      removedFolders,
      folderBefore: (path) => bits.get(pathKey(path)),
      mostReplacedBytes: checkpoints.mostIncludedBytes,
    });
    const conflicts = plan.conflicts.map(toConflict);
    if (conflicts.length > 0) return { files: [], conflicts };
    if (!dryRun) await this.#apply(cover, plan, toEvent);
    return { files: plan.files, conflicts };
  }

  /**
   * Writes the files. First a checkpoint of all that is replaced is made and recorded, so that the next start can
   * finish after a kill. The checkpoint after it has the same files, so that a redo can compare both.
   */
  async #apply(cover: Cover, plan: RestorePlan, toEvent: Restore['toEvent']): Promise<void> {
    const { workspace, stateDir, checkpoints, pending } = cover;
    const key = this.#options.key();
    const including = plan.files.map(({ path }) => path);
    const { id: before } = await checkpoints.take({ including });
    const written = { id: randomUUID(), before, after: before, files: [] };
    await applyRestore(plan, {
      workspace,
      stateDir,
      note: { key, event: toEvent(written) },
      record: async () => {
        const { id: after } = await checkpoints.take({ including });
        await pending.add(key, toEvent({ ...written, after, ...listedFiles(plan.files) }));
      },
    });
    await this.#log.deliver(pending);
  }

  async #restoring<T>(work: (cover: Cover, state: ChangesState) => Promise<T>): Promise<T> {
    return this.#reading((cover) =>
      cover.turns.restore(cover.workspace, async () => work(cover, await this.#state(cover))),
    );
  }

  async #reading<T>(work: (cover: Cover, state: ChangesState) => Promise<T>): Promise<T> {
    const { eventLogs, settingsIn, folder, onFinished } = this.#options;
    const key = this.#options.key();
    const head = await eventLogs.store.head(key);
    if (head === undefined) {
      throw new HostError('no-checkpoint', `no session ${JSON.stringify(key)}`);
    }
    const cwd = folder?.() ?? head.start.cwd;
    const settings = await settingsIn(cwd);
    if (settings === undefined) {
      throw new HostError(
        'no-checkpoint',
        `changes are not covered in ${JSON.stringify(cwd)}: "changes.enabled" is false there, or it is a home, temporary or root folder`,
      );
    }
    await using cover = await openCover(cwd, settings);
    await recoverChanges({ ...cover, store: eventLogs.store, onFinished });
    return await work(cover, await this.#state(cover));
  }

  #state({ pending }: Cover): Promise<ChangesState> {
    const { eventLogs } = this.#options;
    return readChanges(this.#options.key(), { store: eventLogs.store, pending });
  }
}

interface Restore {
  readonly changes: readonly FileChange[];
  /** The checkpoint in which folders were as they become. */
  readonly folders: string;
  /** Folders to be removed if they are empty then. @default those of removed files */
  readonly addedFolders?: readonly ChangedPath[];
  /** Folders to be created also without files. @default those of created files */
  readonly removedFolders?: readonly ChangedPath[];
  readonly toEvent: (
    written: Pick<WrittenEvent, 'id' | 'before' | 'after' | 'files' | 'hasMore'>,
  ) => WrittenEvent;
}

/** A file that is too large to be stored first is not restored, even with force; clients report that. */
function toConflict({ path, why }: RestoreConflict): RestoreResult['conflicts'][number] {
  return { path, ...(why === 'too-large' && { why }) };
}

import type { SessionStore, SessionWorktree } from '@parley/host';
import { WorkspaceError } from '@parley/workspace';
import {
  openWorktree,
  removeWorktree,
  type WorktreeRecord,
  type WorktreeWish,
} from '@parley/workspace/worktree';
import { stateFolder, type Variables } from '../configuration/places.ts';
import { withDatabase } from '../store/open-database.ts';
import type { Surroundings } from '../surroundings.ts';
import { refuseInUse } from './refuse-in-use.ts';
import { setUp } from './set-up.ts';
import { toCliError } from './worktree-error.ts';

/** How a worktree is opened for a session. */
export interface OpenSessionWorktreeOptions {
  readonly env: Variables;
  /** The sessions of the hub, beside those of this machine. @default those in the database of PARLEY_STORE */
  readonly sessions?: SessionStore;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Receives what `.parley/setup` writes. @default it is part of the error where that fails */
  readonly onSetupOutput?: (text: string) => void;
}

/** A worktree that one session works in. Disposing releases it; a new one in which no session began is removed again. */
export interface OpenSessionWorktree extends AsyncDisposable {
  readonly worktree: SessionWorktree;
  readonly record: WorktreeRecord;
  /** The folder of the session. */
  readonly cwd: string;
  /** A session has begun there: the worktree stays. */
  keep(): void;
}

/**
 * Opens a worktree for a session that begins in a folder, and runs `.parley/setup` there.
 *
 * @throws {CliError} `usage`, `refused`, `setup-failed`
 */
export async function openSessionWorktree(
  cwd: string,
  wish: WorktreeWish,
  { env, sessions, signal, warn, onSetupOutput }: OpenSessionWorktreeOptions,
): Promise<OpenSessionWorktree> {
  const place = { stateFolder: stateFolder(env) };
  const opened = await openWorktree(cwd, wish, place).catch((error: unknown) => {
    throw toCliError(error);
  });
  const { record, isNew } = opened;
  let isKept = !isNew;
  const dispose = async (): Promise<void> => {
    await opened.release();
    if (isKept) return;
    // What is not empty by then stays, and is listed.
    await removeWorktree(record, place).catch((error: unknown) => {
      if (!(error instanceof WorkspaceError)) throw error;
    });
  };
  try {
    for (const note of opened.notes) warn(note);
    if (!isNew) await refuseRunning(record, { cwd, env, ...(sessions !== undefined && { sessions }) });
    await setUp(record, {
      env,
      signal,
      warn,
      ...(onSetupOutput !== undefined && { onOutput: onSetupOutput }),
    });
  } catch (error) {
    await dispose();
    throw error;
  }
  const { name, path, branch } = record;
  return {
    worktree: { name, path, branch },
    record,
    cwd: opened.cwd,
    keep: () => {
      isKept = true;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** The same for a command, which does not open its database otherwise. */
async function refuseRunning(
  record: WorktreeRecord,
  { cwd, env, sessions }: Pick<Surroundings, 'cwd' | 'env' | 'sessions'>,
): Promise<void> {
  if (sessions !== undefined) return refuseInUse(record, { env, sessions });
  await withDatabase(undefined, { cwd, env }, (database) =>
    refuseInUse(record, { env, ...(database !== undefined && { sessions: database }) }),
  );
}

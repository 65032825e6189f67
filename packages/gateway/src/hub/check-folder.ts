import { invalidParams } from '@parley/acp';
import { isInside } from '../acp/opening-rules.ts';
import type { HubOptions } from './hub-options.ts';

/** The folders that sessions may use, and the worktrees of repositories in them. */
export type SessionFolders = Pick<HubOptions, 'workspaces' | 'worktrees'>;

/** Whether sessions may use a folder: one that is offered, or one in a worktree of an offered folder. */
export async function isOffered(folder: string, { workspaces, worktrees }: SessionFolders): Promise<boolean> {
  if (await isInside(folder, workspaces)) return true;
  const origin = (await worktrees?.origin(folder)) ?? folder;
  return origin !== folder && isInside(origin, workspaces);
}

/** Rejects a folder that sessions may not use. @throws {RpcError} -32602. */
export async function checkFolder(what: string, folder: string, folders: SessionFolders): Promise<void> {
  if (await isOffered(folder, folders)) return;
  throw invalidParams(
    'cwd',
    `a folder that sessions may use here (${folders.workspaces.join(', ')}), and ${what} is in ${JSON.stringify(folder)}`,
  );
}

import { realpath } from 'node:fs/promises';
import { acpCodes, invalidRequest } from '@parley/acp';
import type { HubWorktrees } from '@parley/gateway';
import type { SessionStore } from '@parley/host';
import { RpcError } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import { inOwnCheckout } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { stateFolder, type Variables } from '../configuration/places.ts';
import { openSessionWorktree } from '../worktrees/session-worktree.ts';

/** The worktrees of the sessions of a hub: those that `parley run --worktree` uses too. @param sessions Those of the hub. */
export function hubWorktrees(env: Variables, sessions: SessionStore): HubWorktrees {
  return {
    stateFolder: stateFolder(env),
    async open(cwd, wish, { signal = new AbortController().signal } = {}) {
      const notes: string[] = [];
      try {
        const opened = await openSessionWorktree(cwd, wish, {
          env,
          sessions,
          signal,
          warn: (message) => {
            notes.push(message);
          },
        });
        return { ...opened, notes };
      } catch (error) {
        throw toRpcError(error);
      }
    },
    origin: async (folder) => {
      const real = await realpath(folder).catch(() => folder);
      return inOwnCheckout(real, { stateFolder: stateFolder(env) });
    },
  };
}

/** `data.reason` says to a client with an exit status which one is meant. */
function toRpcError(error: unknown): unknown {
  if (error instanceof CliError) {
    const { code: reason, message } = error;
    return reason === 'usage'
      ? new RpcError(acpCodes.invalidParams, message, { reason })
      : invalidRequest(message, { reason });
  }
  if (error instanceof WorkspaceError) return new RpcError(acpCodes.internalError, error.message);
  return error;
}

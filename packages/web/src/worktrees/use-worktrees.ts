import type { ListedWorktree } from '@parley/host/hub';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { askWorktrees } from './worktree-requests.ts';

/** The loaded worktrees. */
export interface LoadedWorktrees {
  /** Absent until it has come once. */
  readonly worktrees?: readonly ListedWorktree[];
  /** Why the last attempt failed. */
  readonly error?: unknown;
  readonly reload: () => void;
}

/** Loads the worktrees, and reloads them when they or their sessions change. */
export function useWorktrees(): LoadedWorktrees {
  const client = useHubClient();
  const { worktreeChanges, sessions, connection } = useHub();
  const [known, setKnown] = useState<Omit<LoadedWorktrees, 'reload'>>({});
  /** Runs one request at a time: changes during a request lead to one more afterwards. */
  const running = useRef<{ isOutdated: boolean }>(undefined);
  const reload = useCallback(() => {
    const load = async (): Promise<void> => {
      if (running.current !== undefined) {
        running.current.isOutdated = true;
        return;
      }
      const own = { isOutdated: true };
      running.current = own;
      while (own.isOutdated) {
        own.isOutdated = false;
        try {
          const { worktrees } = await askWorktrees(client, 'list', {});
          setKnown({ worktrees });
        } catch (error) {
          setKnown((before) => ({ ...before, error }));
        }
      }
      running.current = undefined;
    };
    void load();
  }, [client]);
  const states = [...sessions.values()]
    .filter(({ worktree }) => worktree !== undefined)
    .map(({ key, state }) => `${key} ${state}`);
  const version = [worktreeChanges, connection.state, ...states].join('\n');
  useEffect(() => {
    reload();
    // A new version is asked for anew.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [reload, version]);
  return { ...known, reload };
}

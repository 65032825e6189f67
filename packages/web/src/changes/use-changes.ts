import type { ChangesDiff } from '@parley/host/hub';
import type { ChangesState } from '@parley/host/state';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { askChanges } from '../hub/changes-requests.ts';
import { useHubClient } from '../hub/use-hub.ts';

/** The loaded changes of a panel. */
export interface LoadedChanges {
  /** Absent until it has come once. */
  readonly diff?: ChangesDiff;
  /** The hunks that can be kept or reverted: those of the whole session, even if one turn is shown. */
  readonly current: ReadonlySet<string>;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  readonly reload: () => void;
}

interface Answer {
  readonly turn: number | undefined;
  readonly diff?: ChangesDiff;
  readonly current: ReadonlySet<string>;
  readonly error?: unknown;
}

const nothing = { current: new Set<string>() };

/** Asks for the changes of a session, or of one of its turns; again after each event that changes them. */
export function useChanges(
  key: string,
  turn: number | undefined,
  { turns, operations }: ChangesState,
): LoadedChanges {
  const client = useHubClient();
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const version = `${String(turns.length)} ${String(operations.length)} ${String(attempt)}`;
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      try {
        const [whole, ofTurn] = await Promise.all([
          askChanges(client, 'diffChanges', key, {}),
          turn === undefined ? undefined : askChanges(client, 'diffChanges', key, { turn }),
        ]);
        const current = new Set(whole.files.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
        if (isWanted) setAnswer({ turn, diff: ofTurn ?? whole, current });
      } catch (error) {
        if (!isWanted) return;
        setAnswer((before) => ({
          ...(before !== undefined && before.turn === turn ? before : nothing),
          turn,
          error,
        }));
      }
    };
    void load();
    return () => {
      isWanted = false;
    };
    // A new version is asked for anew.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, key, turn, version]);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  return useMemo(
    () => ({ ...(answer !== undefined && answer.turn === turn ? answer : nothing), reload }),
    [answer, turn, reload],
  );
}

import type { ChangesList } from '../hub/session-changes.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { isUndone } from '../state/changes.ts';

/** Which session it is. */
export interface ListedSession {
  readonly sessionId: string;
  readonly workspace: string;
}

/** What the turns of a session changed, as clients receive it. */
export function listChanges({ sessionId, workspace }: ListedSession, { turns }: ChangesState): ChangesList {
  return {
    sessionId,
    workspace,
    turns: turns.map((changed) => {
      const { turn, startedAt, endedAt, files, more, omitted } = changed;
      return {
        turn,
        startedAt,
        endedAt,
        undone: isUndone(changed),
        files,
        ...(more !== undefined && { more }),
        omitted,
      };
    }),
  };
}

import type { ChangesList, UnavailableTurn } from '../hub/session-changes.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { isUndone } from '../state/changes.ts';

/** The session, and what of it is not stored here. */
interface ListedSession {
  readonly sessionId: string;
  readonly workspace: string;
  readonly unavailable: readonly UnavailableTurn[];
}

/** What the turns of a session changed, as clients receive it. */
export function listChanges(
  { sessionId, workspace, unavailable }: ListedSession,
  { turns }: ChangesState,
): ChangesList {
  return {
    sessionId,
    workspace,
    turns: turns.map((changed) => {
      const { turn, startedAt, endedAt, files, more, omitted } = changed;
      const missing = unavailable.find((each) => each.turn === turn);
      return {
        turn,
        startedAt,
        endedAt,
        undone: isUndone(changed),
        files,
        ...(more !== undefined && { more }),
        omitted,
        ...(missing !== undefined && {
          unavailable: { ...(missing.machine !== undefined && { machine: missing.machine }) },
        }),
      };
    }),
  };
}

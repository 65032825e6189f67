import { WorkspaceError } from '@parley/workspace';
import type { UnavailableTurn } from '../hub/session-changes.ts';
import type { ChangedTurn, ChangesState } from '../state/changes-state.ts';
import type { Cover } from './open-cover.ts';

/** Something between two checkpoints. */
type Covered = Pick<ChangedTurn, 'before' | 'after'>;

/** Whether both checkpoints are stored here. */
export function isStored({ before, after }: Covered, stored: ReadonlySet<string>): boolean {
  return stored.has(before) && stored.has(after);
}

/** The turns whose checkpoints are not stored here: another machine has them, or they were removed. */
export async function unavailableTurns(
  { turns }: Pick<ChangesState, 'turns'>,
  { checkpoints, machine: here }: Pick<Cover, 'checkpoints' | 'machine'>,
): Promise<readonly UnavailableTurn[]> {
  const stored = await checkpoints.stored();
  return turns
    .filter((turn) => !isStored(turn, stored))
    .map(({ turn, machine }) => ({
      turn,
      ...(machine !== undefined && machine !== here && { machine }),
    }));
}

/** @throws {WorkspaceError} `expired`: the checkpoints of the turn are not stored here. */
export async function checkAvailable(turn: ChangedTurn, cover: Cover): Promise<void> {
  const [unavailable] = await unavailableTurns({ turns: [turn] }, cover);
  if (unavailable === undefined) return;
  const { turn: number, machine } = unavailable;
  throw new WorkspaceError(
    'expired',
    machine === undefined
      ? `turn ${String(number)} cannot be shown by line or undone any more: its checkpoints were removed, by age or size (changes.maxBytes)`
      : `turn ${String(number)} cannot be shown by line or undone here: it ran on the machine ${JSON.stringify(machine)}, and its checkpoints are there`,
  );
}

import type { FileChange, FileDiff } from '@parley/workspace/checkpoint';
import type { ChangesDiff, DiffFile, UnavailableTurn } from '../hub/session-changes.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';
import { marksIn } from './choose-undo.ts';
import type { SessionChange } from './session-diff.ts';

/** What a diff is of, and how it is shown. */
export interface ToDiffOptions {
  readonly changes: readonly (SessionChange | FileChange)[];
  readonly state: ChangesState;
  /** @default the whole session */
  readonly turn: number | undefined;
  /** Leaves out hunks that were kept. */
  readonly unreviewed: boolean;
  /** The turns that are not in the diff of the whole session. */
  readonly unavailable: readonly UnavailableTurn[];
  readonly isInRepository: boolean;
}

/** Changes by hunk, as clients receive them. */
export function toDiff(
  diffs: readonly FileDiff[],
  { changes, state, turn, unreviewed, unavailable, isInRepository }: ToDiffOptions,
): ChangesDiff {
  const kept = new Set(state.kept);
  const turns = state.turns.filter((each) => turn === undefined || each.turn === turn);
  const marks = turns.map(marksIn);
  const isReported = (change: SessionChange | FileChange): boolean =>
    'isReported' in change ? change.isReported : marks.some((markOf) => markOf(change).isReported);
  const reported = new Set(changes.filter(isReported).map(({ path }) => pathKey(path)));
  const byPath = new Map(changes.map((change) => [pathKey(change.path), change]));
  const files = diffs.flatMap(
    ({ path, oldPath, status, additions, deletions, binary, hunks }): DiffFile[] => {
      const { before, after } = byPath.get(pathKey(path)) ?? {};
      const shown = unreviewed ? hunks.filter(({ id }) => !kept.has(id)) : hunks;
      if (shown.length === 0 && hunks.length > 0) return [];
      return [
        {
          path,
          ...(oldPath !== undefined && { oldPath }),
          status,
          additions,
          deletions,
          binary,
          reported: reported.has(pathKey(path)),
          ...(before !== undefined && { oldMode: before.mode }),
          ...(after !== undefined && { newMode: after.mode }),
          hunks: shown.map(({ id, header, lines: own }) => ({
            id,
            header,
            lines: own,
            ...(kept.has(id) && { reviewed: true as const }),
          })),
        },
      ];
    },
  );
  const omitted = new Map(turns.flatMap((each) => each.omitted).map((file) => [pathKey(file.path), file]));
  return {
    files,
    omitted: [...omitted.values()],
    ...(turn === undefined && unavailable.length > 0 && { unavailable }),
    ...(!isInRepository && { noRepository: true as const }),
  };
}

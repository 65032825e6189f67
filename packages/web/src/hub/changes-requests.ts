import type {
  ChangedContent,
  ChangesDiff,
  CommitParams,
  CommitResult,
  ContentParams,
  DiffParams,
  HunksParams,
  HunksResult,
  RedoParams,
  RestoreResult,
  UndoParams,
} from '@parley/host/hub';

/** What is asked about the changes of a session, by the name of its method. */
export interface ChangesRequests {
  readonly diffChanges: Asked<DiffParams, ChangesDiff>;
  readonly changedContent: Asked<ContentParams, ChangedContent>;
  readonly undoChanges: Asked<UndoParams, RestoreResult>;
  readonly redoChanges: Asked<RedoParams, RestoreResult>;
  readonly keepHunks: Asked<HunksParams, HunksResult>;
  readonly revertHunks: Asked<HunksParams, HunksResult>;
  readonly commitChanges: Asked<CommitParams, CommitResult>;
}

interface Asked<Params, Result> {
  readonly params: Omit<Params, 'sessionId'>;
  readonly result: Result;
}

import {
  changesMethods,
  type ChangedContent,
  type ChangesDiff,
  type CommitParams,
  type CommitResult,
  type ContentParams,
  type DiffParams,
  type HunksParams,
  type HunksResult,
  type RedoParams,
  type RestoreResult,
  type UndoParams,
} from '@parley/host/hub';
import type { HubClient } from './hub-client.ts';

/** The requests about changes of a session, by method. */
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

/** Sends a request about changes: reads, undoes or reviews them. */
export function askChanges<Name extends keyof ChangesRequests>(
  client: HubClient,
  name: Name,
  key: string,
  params: ChangesRequests[Name]['params'],
): Promise<ChangesRequests[Name]['result']> {
  return client.ask(changesMethods[name], { sessionId: key, ...params });
}

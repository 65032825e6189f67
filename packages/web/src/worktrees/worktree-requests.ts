import {
  worktreeMethods,
  type BeginRaceParams,
  type BeginRaceResult,
  type ChangesDiff,
  type MergeWorktreeParams,
  type MergeWorktreeResult,
  type RemoveWorktreeParams,
  type RemoveWorktreeResult,
  type WorktreesList,
} from '@parley/host/hub';
import type { HubClient } from '../hub/hub-client.ts';

/** The requests about worktrees and races, by method. */
interface WorktreeRequests {
  readonly list: { readonly params: object; readonly result: WorktreesList };
  readonly diff: { readonly params: { readonly sessionId: string }; readonly result: ChangesDiff };
  readonly merge: { readonly params: MergeWorktreeParams; readonly result: MergeWorktreeResult };
  readonly remove: { readonly params: RemoveWorktreeParams; readonly result: RemoveWorktreeResult };
  readonly race: { readonly params: BeginRaceParams; readonly result: BeginRaceResult };
}

/** Asks the hub about worktrees and races. */
export function askWorktrees<Name extends keyof WorktreeRequests>(
  client: Pick<HubClient, 'ask'>,
  name: Name,
  params: WorktreeRequests[Name]['params'],
): Promise<WorktreeRequests[Name]['result']> {
  return client.ask(worktreeMethods[name], params);
}

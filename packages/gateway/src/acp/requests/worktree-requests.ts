import { invalidRequest } from '@parley/acp';
import { worktreeMethods } from '@parley/host/hub';
import { mayAdminister } from '../../access/session-access.ts';
import { checkFolder } from '../../hub/check-folder.ts';
import { listWorktrees } from '../../hub/worktrees/list-worktrees.ts';
import { diffOf, merge, remove } from '../../hub/worktrees/merge-and-remove.ts';
import { worktreeOf } from '../../hub/worktrees/worktree-of.ts';
import type { HubRequest } from '../hub-call.ts';
import { parseSessionParams } from '../params/hub-params.ts';
import { parseMergeParams, parseRaceParams, parseRemoveParams } from '../params/worktree-params.ts';

/** Requests about worktrees and races, by method. A worktree is addressed by its session and needs the same rights. */
export const worktreeRequests: ReadonlyMap<string, HubRequest> = new Map<string, HubRequest>([
  [
    worktreeMethods.list,
    { use: 'list', run: (_params, { table, principal }) => listWorktrees(table, principal) },
  ],
  [
    worktreeMethods.diff,
    {
      use: 'look',
      run: async (params, { table, method }) =>
        diffOf(await worktreeOf(table, method, parseSessionParams(params).sessionId)),
    },
  ],
  [
    worktreeMethods.merge,
    {
      use: 'change',
      run: async (params, { table, method }) => {
        const { sessionId, ...wanted } = parseMergeParams(params);
        return merge(await worktreeOf(table, method, sessionId), wanted, table);
      },
    },
  ],
  [
    worktreeMethods.remove,
    {
      use: 'change',
      run: async (params, { table, method }) => {
        const { sessionId, ...wanted } = parseRemoveParams(params);
        return remove(await worktreeOf(table, method, sessionId), wanted, table);
      },
    },
  ],
  [
    worktreeMethods.race,
    {
      use: 'begin',
      run: async (params, { table, method, principal, from }) => {
        const wanted = parseRaceParams(params);
        // It runs without a permission request.
        if (wanted.check !== undefined && !mayAdminister(principal)) {
          throw invalidRequest(
            `${method}: a check requires a token of scope admin; omit it, or ask the agents to run it`,
          );
        }
        await checkFolder(method, wanted.cwd, table.options);
        return table.races.begin(wanted, { owner: principal.id, from });
      },
    },
  ],
]);

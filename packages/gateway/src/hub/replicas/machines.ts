import type { Replica, SilentReplica } from '@parley/host';
import type { HubMachine } from '@parley/host/hub';
import { seesAllSessions } from '../../access/session-access.ts';
import type { Principal } from '../../access/token.ts';
import type { HubReplicas } from './hub-replicas.ts';

/** The machines of a hub as a token sees them, this one first; none where there is only one process. */
export function machinesOf(replicas: HubReplicas | undefined, principal: Principal): readonly HubMachine[] {
  if (replicas === undefined) return [];
  const all: readonly (Replica & Partial<SilentReplica>)[] = [...replicas.all, ...replicas.silent];
  return all.map(({ name, isThis, workspaces, slots, taken, since, silentSince }) => ({
    name,
    isThis,
    workspaces: workspaces.map((workspace) => workspace.name ?? workspace.folder),
    since,
    ...(silentSince !== undefined && { silentSince }),
    // What runs is work of other tokens too.
    ...(seesAllSessions(principal) && { agents: { used: taken, slots } }),
  }));
}

import type { AgentPlace, HubAgent } from '@parley/host/hub';

/** In the order in which they are shown: what is at hand comes first. */
const agentPlaces: readonly AgentPlace[] = ['own', 'configured', 'installed', 'available'];

/** Agents by where they are known from, those without an agent left out; the default one comes first, then by name. */
export function groupAgents(
  agents: readonly HubAgent[],
): { readonly place: AgentPlace; readonly agents: readonly HubAgent[] }[] {
  return agentPlaces.flatMap((place) => {
    const found = agents.filter((agent) => agent.place === place);
    return found.length === 0 ? [] : [{ place, agents: found.toSorted(compare) }];
  });
}

function compare(left: HubAgent, right: HubAgent): number {
  if (left.isDefault !== right.isDefault) return left.isDefault === true ? -1 : 1;
  return (left.title ?? left.name).localeCompare(right.title ?? right.name);
}

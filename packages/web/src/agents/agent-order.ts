import type { AgentPlace, HubAgent } from '@parley/host/hub';

/** The groups in display order: available agents come first. */
const agentPlaces: readonly AgentPlace[] = ['own', 'configured', 'installed', 'available'];

/** Groups agents by availability, without empty groups; the default agent comes first, then by name. */
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

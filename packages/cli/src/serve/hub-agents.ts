import type { ListedAgent } from '@parley/gateway';
import type { AgentPresence, CatalogueEntry } from '@parley/host';
import { isHere, type KnownAgent } from '../agents/known-agent.ts';
import { withOptionDefaults } from '../conversation/agent/configured-spec.ts';
import type { OfferedAgent } from './offered-agents.ts';

/**
 * The agents as the web interface lists them: those that are served, and those of the catalogue that are not installed, with how
 * to get them.
 *
 * @param versions What those that are served said of theirs, by name.
 */
export function toHubAgents(
  known: readonly KnownAgent[],
  offered: readonly OfferedAgent[],
  versions: ReadonlyMap<string, string>,
): readonly ListedAgent[] {
  const offers = new Map(offered.map((agent) => [agent.spec.name, agent]));
  return known.map((agent) => {
    const version = versions.get(agent.name);
    const offer = offers.get(agent.name);
    return {
      ...toListed(agent),
      ...(version !== undefined && { version }),
      ...(offer !== undefined && { spec: withOptionDefaults(offer.spec, offer.options) }),
    };
  });
}

function toListed(agent: KnownAgent): ListedAgent {
  const { name } = agent;
  switch (agent.kind) {
    case 'own':
      return { name, place: 'own', ...notesOf(agent.entry) };
    case 'configured':
      return { name, place: 'configured', canRemove: true };
    case 'catalogue': {
      const { entry, presence } = agent;
      if (isHere(presence)) return { name, place: 'installed', ...notesOf(entry) };
      const install = howToInstall(entry, presence);
      return {
        name,
        place: 'available',
        ...notesOf(entry),
        version: entry.version,
        ...(presence.state === 'available' && presence.runner === 'npx' && { canInstall: true }),
        ...(install !== undefined && { install }),
      };
    }
  }
}

function notesOf(
  entry: CatalogueEntry | undefined,
): Pick<ListedAgent, 'title' | 'description' | 'website' | 'askMode'> {
  if (entry === undefined) return {};
  const { name, description, website, running } = entry;
  return {
    title: name,
    description,
    ...(website !== undefined && { website }),
    ...(running.askMode !== undefined && { askMode: running.askMode }),
  };
}

/** A command line to be typed, or what is missing. Where there is neither, its website explains it. */
function howToInstall({ distribution }: CatalogueEntry, presence: AgentPresence): string | undefined {
  if (presence.state === 'absent' && presence.missing.length > 0) {
    return `needs ${presence.missing.join(', ')} on PATH`;
  }
  if (distribution.npx !== undefined) return `npm install --global ${distribution.npx.package}`;
  return distribution.uvx === undefined ? undefined : `uv tool install ${distribution.uvx.package}`;
}

import type { AgentPresence, CatalogueEntry } from '@parley/host';

/** Why an agent of the catalogue cannot be started here, and what to do about it. */
export function whatIsMissing(entry: CatalogueEntry, presence: AgentPresence): string {
  const where = entry.website === undefined ? '' : ` (${entry.website})`;
  if (presence.state === 'absent' && presence.missing.length > 0) {
    return `it needs ${presence.missing.join(' and ')} on PATH${where}`;
  }
  const { npx, uvx } = entry.distribution;
  const managers = [...(npx === undefined ? [] : ['npm']), ...(uvx === undefined ? [] : ['uvx'])];
  const installed =
    entry.running.commands.length === 0
      ? 'it is not installed'
      : `${entry.running.commands.join(' or ')} is not on PATH`;
  return managers.length === 0
    ? `${installed}; install it${where}`
    : `${installed}, and neither is ${managers.join(' or ')}, which could install it${where}`;
}

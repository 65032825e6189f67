import type { AgentPresence, CatalogueEntry } from '@parley/host';

/** Why an agent of the catalogue cannot be started here, and what to do about it. */
export function whatIsMissing(entry: CatalogueEntry, presence: AgentPresence): string {
  const where = entry.website === undefined ? '' : ` (${entry.website})`;
  if (presence.state === 'absent' && presence.missing.length > 0) {
    return `it needs ${presence.missing.join(' and ')} on PATH${where}`;
  }
  const { npx, uvx } = entry.distribution;
  const runners = [...(npx === undefined ? [] : ['npx']), ...(uvx === undefined ? [] : ['uvx'])];
  const installed =
    entry.running.commands.length === 0
      ? 'it is not installed'
      : `${entry.running.commands.join(' or ')} is not on PATH`;
  return runners.length === 0
    ? `${installed}; install it${where}`
    : `${installed}, and neither is ${runners.join(' or ')}, which could fetch it${where}`;
}

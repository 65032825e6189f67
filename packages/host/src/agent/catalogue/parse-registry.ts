import type { CatalogueEntry } from './catalogue-entry.ts';
import { readEntry } from './entry-reader.ts';
import { parseEntry } from './parse-entry.ts';

/** The entries of a registry file, and what is wrong with those that were left out. */
export interface ParsedRegistry {
  readonly entries: readonly CatalogueEntry[];
  readonly faults: readonly string[];
}

/**
 * Reads a whole registry (`{"version", "agents": […]}`) or a single entry. One faulty entry does not spoil the others;
 * its `extensions`, which are no agents, are left aside.
 */
export function parseRegistry(value: unknown): ParsedRegistry {
  const faults: string[] = [];
  const { raw } = readEntry(value, '', faults);
  if (faults.length > 0) return { entries: [], faults };
  if (!Object.hasOwn(raw, 'agents')) return collect([['', value]]);
  if (!Array.isArray(raw['agents'])) return { entries: [], faults: ['agents: expected a list'] };
  const agents: readonly unknown[] = raw['agents'];
  return collect(agents.map((agent, index) => [`agents[${String(index)}]`, agent]));
}

function collect(values: readonly (readonly [place: string, value: unknown])[]): ParsedRegistry {
  const entries = new Map<string, CatalogueEntry>();
  const faults: string[] = [];
  for (const [place, value] of values) {
    const parsed = parseEntry(value);
    if (parsed.kind === 'faulty') {
      faults.push(...parsed.faults.map((fault) => (place === '' ? fault : `${place}.${fault}`)));
    } else if (entries.has(parsed.entry.id)) {
      faults.push(`${place}.id: "${parsed.entry.id}" is there twice`);
    } else {
      entries.set(parsed.entry.id, parsed.entry);
    }
  }
  return { entries: [...entries.values()], faults };
}

import { isObject } from '@parley/workspace/schema';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { parseEntry } from './parse-entry.ts';

/** The valid entries of a registry file, and the faults of the others. */
export interface ParsedRegistry {
  readonly entries: readonly CatalogueEntry[];
  readonly faults: readonly string[];
}

/**
 * Parses a whole registry (`{"version", "agents": […]}`) or a single entry. An invalid entry does not affect the
 * others; `extensions` are ignored.
 */
export function parseRegistry(value: unknown): ParsedRegistry {
  if (!isObject(value) || !Object.hasOwn(value, 'agents')) return collect([['', value]]);
  const { agents } = value;
  if (!Array.isArray(agents)) return { entries: [], faults: ['agents: expected a list'] };
  return collect(agents.map((agent: unknown, index) => [`agents[${String(index)}]`, agent]));
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

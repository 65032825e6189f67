import auggie from './agents/auggie.json' with { type: 'json' };
import claude from './agents/claude-acp.json' with { type: 'json' };
import codex from './agents/codex-acp.json' with { type: 'json' };
import cursor from './agents/cursor.json' with { type: 'json' };
import gemini from './agents/gemini.json' with { type: 'json' };
import copilot from './agents/github-copilot-cli.json' with { type: 'json' };
import goose from './agents/goose.json' with { type: 'json' };
import kimi from './agents/kimi.json' with { type: 'json' };
import vibe from './agents/mistral-vibe.json' with { type: 'json' };
import opencode from './agents/opencode.json' with { type: 'json' };
import parley from './agents/parley.json' with { type: 'json' };
import pi from './agents/pi-acp.json' with { type: 'json' };
import qwen from './agents/qwen-code.json' with { type: 'json' };
import type { CatalogueEntry } from './catalogue-entry.ts';
import { parseEntry } from './parse-entry.ts';

const files: readonly unknown[] = [
  parley,
  auggie,
  claude,
  codex,
  copilot,
  cursor,
  gemini,
  goose,
  kimi,
  opencode,
  pi,
  qwen,
  vibe,
];

/** Returns the built-in catalogue: Parley's own agent, then the others by name. */
export function knownAgents(): readonly CatalogueEntry[] {
  return files.flatMap((file) => {
    const parsed = parseEntry(file);
    return parsed.kind === 'entry' ? [parsed.entry] : [];
  });
}

/**
 * Replaces or adds catalogue entries. An entry without `parley` inherits that field from the existing entry, as for a
 * newer version from the registry. An entry cannot use the name of another agent.
 */
export function extendCatalogue(
  known: readonly CatalogueEntry[],
  others: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  const owners = new Map(
    known.flatMap(({ id, running }) => [[id, id] as const, [running.alias ?? id, id] as const]),
  );
  const mayBeCalled = (name: string, id: string): boolean => (owners.get(name) ?? id) === id;
  const result = new Map(known.map((entry) => [entry.id, entry]));
  for (const other of others) {
    if (!mayBeCalled(other.id, other.id)) continue;
    const before = result.get(other.id);
    const running =
      before === undefined || Object.hasOwn(other.raw, 'parley') ? other.running : before.running;
    const { alias = other.id, ...rest } = running;
    result.set(other.id, { ...other, running: mayBeCalled(alias, other.id) ? running : rest });
    owners.set(other.id, other.id).set(mayBeCalled(alias, other.id) ? alias : other.id, other.id);
  }
  return [...result.values()];
}

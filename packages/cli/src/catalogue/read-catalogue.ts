import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogueEntry } from '@parley/host';
import { extendCatalogue, knownAgents, parseEntry } from '@parley/host/catalogue';
import { CliError } from '../cli-error.ts';
import { agentsFolder, type Variables } from '../configuration/places.ts';
import { parseJson } from '../configuration/read-json.ts';
import { decodeInput, readInputFile } from '../input-file.ts';

/** The agents known to Parley, and those the user imported. A damaged file is reported and skipped. */
export async function readCatalogue(
  env: Variables,
  warn: (code: string, message: string) => void,
): Promise<readonly CatalogueEntry[]> {
  return extendCatalogue(knownAgents(), await readImported(env, warn));
}

/** The agents the user imported. */
export async function readImported(
  env: Variables,
  warn: (code: string, message: string) => void,
): Promise<readonly CatalogueEntry[]> {
  const folder = agentsFolder(env);
  const entries: CatalogueEntry[] = [];
  for (const name of await listFiles(folder)) {
    const file = path.join(folder, name);
    try {
      const parsed = parseEntry(await readJson(file));
      if (parsed.kind === 'entry') entries.push(parsed.entry);
      else warn('catalogue', `${file}: ${parsed.faults.join('; ')}; ignored`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      warn('catalogue', `${error.message}; ignored`);
    }
  }
  return entries;
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  } catch {
    // Nothing was imported yet, or the folder is not ours to read: then there is nothing in it for us.
    return [];
  }
}

/** The value of a JSON file, or the reason why it has none, without any of its text. */
export async function readJson(file: string, label: string = file): Promise<unknown> {
  const bytes = await readInputFile(file, { label, code: 'configuration' });
  return parseJson(decodeInput(bytes, { label, code: 'configuration' }), label);
}

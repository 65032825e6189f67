import path from 'node:path';
import { findEntry, type CatalogueEntry } from '@parley/host';
import { knownAgents, parseRegistry } from '@parley/host/catalogue';
import { readJson } from '../catalogue/read-catalogue.ts';
import { CliError } from '../cli-error.ts';
import { ownAgentName } from '../configuration/configuration.ts';
import { agentsFolder } from '../configuration/places.ts';
import { parseJson } from '../configuration/read-json.ts';
import { replaceUserFile } from '../configuration/replace-user-file.ts';
import { exitStatus } from '../exit-status.ts';
import { decodeInput, toFileReason } from '../input-file.ts';
import { toPlainLine } from '../output/plain.ts';
import { readStandardInput } from '../standard-input.ts';
import type { Surroundings } from '../surroundings.ts';

/** `parley agents import FILE`: takes agents out of a registry file, or one entry of it. Nothing is run or fetched. */
export async function importAgents(file: string, surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings;
  const { entries, faults } = parseRegistry(await readSource(file, surroundings));
  const folder = agentsFolder(env);
  const known = knownAgents();
  const refused = [...faults];
  let count = 0;
  for (const entry of entries) {
    const conflict = findConflict(entry, known);
    if (conflict !== undefined) {
      refused.push(conflict);
      continue;
    }
    await replaceUserFile(
      path.join(folder, `${entry.id}.json`),
      `${JSON.stringify(entry.raw, undefined, 2)}\n`,
    ).catch((error: unknown) => {
      throw new CliError('configuration', `${folder}: ${toFileReason(error)}`, { cause: error });
    });
    count += 1;
  }
  for (const fault of refused) stderr.write(`parley: ${file}: ${toPlainLine(fault)}\n`);
  stdout.write(
    `Imported ${String(count)} ${count === 1 ? 'agent' : 'agents'} into ${folder}` +
      `${refused.length > 0 ? '; others were skipped' : ''}.\n`,
  );
  return refused.length === 0 ? exitStatus.done : exitStatus.failed;
}

/** Why an entry would take the place of something that it is not. */
function findConflict({ id }: CatalogueEntry, known: readonly CatalogueEntry[]): string | undefined {
  if (id === ownAgentName) return `"${id}" is Parley's built-in agent`;
  const other = findEntry(known, id);
  return other === undefined || other.id === id ? undefined : `"${id}" is already a name of ${other.name}`;
}

async function readSource(file: string, { cwd, stdin }: Surroundings): Promise<unknown> {
  if (file !== '-') return readJson(path.resolve(cwd, file), file);
  const label = 'standard input';
  const bytes = await readStandardInput(stdin, { code: 'configuration' });
  return parseJson(decodeInput(bytes, { label, code: 'configuration' }), label);
}

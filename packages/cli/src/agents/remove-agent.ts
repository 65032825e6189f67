import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findEntry } from '@parley/host';
import { readCatalogue, readImported } from '../catalogue/read-catalogue.ts';
import { CliError } from '../cli-error.ts';
import { editConfiguration, fieldsOf, type RawConfiguration } from '../configuration/edit-configuration.ts';
import { agentsFolder, userFile, type Variables } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';

/** `parley agents remove NAME`: removes an agent from the user's configuration, or an imported one. */
export async function removeAgent(name: string, { env, stdout }: Surroundings): Promise<number> {
  const file = userFile(env);
  const left = await removeFromConfiguration(file, name);
  if (left !== undefined) {
    stdout.write(`Removed "${name}" from ${file}.\n`);
    if (left['defaultAgent'] === name) {
      stdout.write(`It was the default agent: set "defaultAgent" in ${file} to another one.\n`);
    }
    return exitStatus.done;
  }
  const imported = await removeImported(name, env);
  if (imported !== undefined) {
    stdout.write(`Removed ${imported}.\n`);
    return exitStatus.done;
  }
  const isKnown = findEntry(await readCatalogue(env, () => undefined), name) !== undefined;
  throw new CliError(
    'usage',
    isKnown
      ? `"${name}" is built into the catalogue and cannot be removed`
      : `no agent "${name}" in ${file}, and no imported agent has that name`,
  );
}

/** Removes an agent from a configuration file. @returns the fields that are left; undefined where it was not in there */
export function removeFromConfiguration(file: string, name: string): Promise<RawConfiguration | undefined> {
  return editConfiguration(file, (fields) => {
    const { [name]: agent, ...agents } = fieldsOf(fields, 'agents');
    return agent === undefined ? undefined : { ...fields, agents };
  });
}

async function removeImported(name: string, env: Variables): Promise<string | undefined> {
  const entry = findEntry(await readImported(env, () => undefined), name);
  if (entry === undefined) return undefined;
  const file = path.join(agentsFolder(env), `${entry.id}.json`);
  await rm(file, { force: true });
  return file;
}

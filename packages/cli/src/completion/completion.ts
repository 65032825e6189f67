import { entryName } from '@parley/host';
import type { Command } from 'commander';
import { readCatalogue } from '../catalogue/read-catalogue.ts';
import { CliError } from '../cli-error.ts';
import { ownAgentName } from '../configuration/configuration.ts';
import type { Variables } from '../configuration/places.ts';
import { readUserFile } from '../configuration/read-configuration.ts';
import { exitStatus } from '../exit-status.ts';
import { parseWord } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCommandTable } from './command-table.ts';
import { toBash } from './to-bash.ts';
import { toFish } from './to-fish.ts';
import { toZsh } from './to-zsh.ts';

const writers = { bash: toBash, zsh: toZsh, fish: toFish };

/** `parley completion SHELL`: prints the script that completes the commands below `root`. */
export async function completion(
  shell: string,
  root: Command,
  { env, stdout }: Surroundings,
): Promise<number> {
  const write = writers[parseWord('completion', shell, ['bash', 'zsh', 'fish'])];
  stdout.write(write(toCommandTable(root, await agentNames(env))));
  return exitStatus.done;
}

/** The agents that can be named; those a shell would read as something else are left out. */
async function agentNames(env: Variables): Promise<string[]> {
  const known = (await readCatalogue(env, () => undefined)).map(entryName);
  const names = [ownAgentName, ...known, ...(await configuredNames(env))];
  return [...new Set(names)].filter((name) => /^\w[\w.+-]*$/u.test(name));
}

async function configuredNames(env: Variables): Promise<string[]> {
  try {
    return [...((await readUserFile(env))?.agents.keys() ?? [])];
  } catch (error) {
    // A shell that starts is not the place to complain about a configuration.
    if (error instanceof CliError) return [];
    throw error;
  }
}
